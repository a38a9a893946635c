/** Which tools of a run are searched instead of listed: by the rule for all of them, by their bundles for some. */

import type { Entry } from './catalogue/entry.ts';
import { DEFAULT_CONTEXT_WINDOW, followsChanges, searchesTools } from './catalogue/search-mode/decide.ts';
import { descriptionChars } from './catalogue/search-mode/searched-tool.ts';
import type { ConfigFrame, SearchDef } from './config/schema.ts';
import type { Host } from './host.ts';
import { agentNamed } from './resolve/policy.ts';
import { audienceFor, type ToolView } from './tool-view.ts';

export interface RunReader extends Pick<ToolView, 'model' | 'client'> {
  /** Whose run it is: an agent may have a rule of its own. */
  readonly agent?: string | undefined;
  /** In tokens. Default: what the profile of the model or client says, else 200,000. */
  readonly contextWindow?: number | undefined;
}

export interface SearchDecision {
  /** Whether the rule lets tools be searched at all. */
  readonly enabled: boolean;
  /** Whether these are all searched. */
  readonly all: boolean;
  /** Whether the tools of this server are searched. */
  hides(server: string): boolean;
  /** Whether a search sees what servers change meanwhile. */
  readonly follows: boolean;
}

/** Made when a run begins, and kept while it lasts. */
export function decideSearch(host: Host, reader: RunReader, tools: Iterable<Entry>): SearchDecision {
  const rule = searchRule(host.loaded.frame, reader.agent ?? host.resolution.agent);
  const { model, client, contextWindow } = reader;
  const audience = audienceFor({ model, client }, host.loaded);
  const all = searchesTools({
    rule,
    toolCalling: audience?.toolCalling ?? true,
    contextWindow: contextWindow ?? audience?.contextWindow ?? DEFAULT_CONTEXT_WINDOW,
    descriptionChars: descriptionChars(tools),
  });
  const bundled = new Set([...host.resolution.servers.values()].flatMap(({ id, searched }) => (searched ? [id] : [])));
  return {
    enabled: rule.enabled ?? true,
    all,
    hides: server => all || bundled.has(server),
    follows: followsChanges(rule),
  };
}

function searchRule(frame: ConfigFrame, agent: string | undefined): SearchDef {
  return { ...frame.search, ...agentNamed(frame, agent)?.search };
}
