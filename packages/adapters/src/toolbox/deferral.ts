/** Which tools a request holds: in full, kept back for the provider's own search, or not at all for want of room. */
import { withinCap } from '@junctor/core/inside';
import type { DeferOptions } from './options.ts';
import type { ModelTool, ServerTool, Toolbox } from './toolbox.ts';

export interface Selection {
  /** Their definitions are sent. */
  readonly shown: readonly ModelTool[];
  /** Their definitions are found by the provider's search. */
  readonly deferred: ReadonlySet<ServerTool>;
  /** Names of tools that the API has no room for. A call of one still runs. */
  readonly beyond: readonly string[];
}

/** Where there is no search: as many as the API takes beside `native` tools of the program, some of every server. */
export function withinRoom({ own, tools, maxTools }: Toolbox, native: number): Selection {
  const room = maxTools === undefined ? undefined : Math.max(0, maxTools - native - own.length);
  const { entries, beyond } = withinCap(tools, room);
  return { shown: [...entries, ...own], deferred: new Set(), beyond: beyond.map(({ name }) => name) };
}

/** `searches`: whether the model is known to search. */
export function withSearch(box: Toolbox, options: DeferOptions, searches: boolean, native: number): Selection {
  const { defer = 'auto', hot = [], contextWindow = CONTEXT_WINDOW } = options;
  const { host, own, tools, maxTools = Number.POSITIVE_INFINITY } = box;
  const { search: rule = {} } = host.loaded.frame;
  const worthIt = (): boolean =>
    rule.enabled !== false && (own.length + tools.length + native > maxTools || isLong(tools, contextWindow, rule));
  if (!(defer === 'auto' ? searches && worthIt() : defer)) return withinRoom(box, native);
  const deferred = new Set(tools.filter(({ name }) => !hot.includes(name)));
  return { shown: [...tools.filter(tool => !deferred.has(tool)), ...own], deferred, beyond: [] };
}

/** A window of this size is what most models of today have. */
const CONTEXT_WINDOW = 200_000;
const CHARS_PER_TOKEN = 2.5;

/** What the config says about searching. */
type SearchRule = NonNullable<Toolbox['host']['loaded']['frame']['search']>;

function isLong(tools: readonly ModelTool[], contextWindow: number, rule: SearchRule): boolean {
  const { context_threshold = 0.1, min_context_window = 32_000 } = rule;
  if (contextWindow < min_context_window) return false;
  const chars = tools.reduce((sum, tool) => sum + tool.description.length + JSON.stringify(tool.inputSchema).length, 0);
  return chars >= context_threshold * contextWindow * CHARS_PER_TOKEN;
}
