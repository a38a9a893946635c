/** Which tools a request holds: in full, kept back for a search, or not at all for want of room. */

import { withinCap } from '@junctor/core/internal';
import { JunctorError } from '@junctor/core/light';
import type { ModelTool } from './model-tool.ts';
import type { DeferOptions } from './options.ts';
import type { ServerTool } from './server-tool.ts';
import type { Toolbox } from './toolbox.ts';

export interface Selection {
  /** Their definitions are sent. */
  readonly shown: readonly ModelTool[];
  /** Their definitions are found by the provider's search. */
  readonly deferred: ReadonlySet<ServerTool>;
  /** Names of tools that the API has no room for. A call of one still runs. */
  readonly beyond: readonly string[];
}

/** Where the API has no search of its own: tools that are searched are behind our own search tools. */
export function withOwnSearch(box: Toolbox, { defer = 'auto', hot = [] }: DeferOptions, native: number): Selection {
  const { decision, tools } = box;
  const all = defer === 'auto' ? decision.all : defer;
  const hidden = ({ server, name }: ServerTool): boolean =>
    isBundled(box, server) || (all && box.search.length > 0 && !hot.includes(name));
  return within(
    box,
    tools.filter(tool => !hidden(tool)),
    native,
  );
}

/** Where it has one. `searches`: whether the model is known to use it. */
export function withNativeSearch(box: Toolbox, options: DeferOptions, searches: boolean, native: number): Selection {
  const { defer = 'auto', hot = [] } = options;
  if (defer === false || (defer === 'auto' && !searches)) return withOwnSearch(box, options, native);
  const { own, tools, maxTools = Number.POSITIVE_INFINITY, decision } = box;
  const listed = tools.filter(({ server }) => !isBundled(box, server));
  const tooMany = decision.enabled && own.length + listed.length + native > maxTools;
  if (defer === 'auto' && !decision.all && !tooMany) return within(box, listed, native);
  const deferred = new Set(listed.filter(({ name }) => !hot.includes(name)));
  const shown = [...listed.filter(tool => !deferred.has(tool)), ...searchFor(box, listed), ...own];
  return { shown, deferred, beyond: [] };
}

/** As many as the API takes beside `native` tools of the program, some of every server. */
function within(box: Toolbox, listed: readonly ServerTool[], native: number): Selection {
  const { own, maxTools } = box;
  const ours = [...searchFor(box, listed), ...own];
  const room = maxTools === undefined ? undefined : Math.max(0, maxTools - native - ours.length);
  const { entries, beyond } = withinCap(listed, room);
  return { shown: [...entries, ...ours], deferred: new Set(), beyond: beyond.map(({ name }) => name) };
}

/** Our search, where tools are missing from the list, or will be once their server is there. */
function searchFor(box: Toolbox, listed: readonly ServerTool[]): readonly ModelTool[] {
  const isNeeded = listed.length < box.tools.length || box.servers.some(id => isBundled(box, id));
  return isNeeded ? box.search : [];
}

/** A bundle wants its tools searched, whatever their number and whoever reads them. */
function isBundled({ host, search }: Toolbox, server: string): boolean {
  if (!host.server(server)?.searched) return false;
  if (search.length > 0) return true;
  throw new JunctorError('name_taken', `The tools of server '${server}' cannot be searched.`, {
    server,
    why: 'a bundle with mode meta needs the names find_tools, describe_tool and call_tool, and a native tool has one',
    hint: 'call the native tool otherwise, or set the mode of the bundle to direct',
  });
}
