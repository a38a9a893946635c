/** Which tools of a run are searched instead of listed: by the rule for all of them, by their bundles for some. Pure. */

import type { ConfigFrame, SearchDef } from '../../config/schema/schema.ts';
import { agentNamed } from '../../resolve/policy.ts';
import type { Resolution } from '../../resolve/resolve.ts';
import type { Entry } from '../entry.ts';
import { audienceFor } from '../tool-view.ts';
import type { ToolView } from '../tool-views.ts';
import { charsAllowed, DEFAULT_CONTEXT_WINDOW, DEFAULT_THRESHOLD, followsChanges, searchesTools } from './decide.ts';
import { descriptionChars } from './searched-tool.ts';

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
  /** How much the descriptions have, and from how much on they are searched, in characters; and the window in tokens. */
  readonly measure: { readonly chars: number; readonly allowed: number; readonly contextWindow: number };
}

interface Config {
  readonly loaded: { readonly frame: ConfigFrame };
  readonly resolution: Resolution;
}

/** Made when a run begins, and kept while it lasts. */
export function decideSearch(
  { loaded, resolution }: Config,
  reader: RunReader,
  tools: Iterable<Entry>,
): SearchDecision {
  const rule = searchRule(loaded.frame, reader.agent ?? resolution.agent);
  const audience = audienceFor({ model: reader.model, client: reader.client }, loaded);
  const contextWindow = reader.contextWindow ?? audience?.contextWindow ?? DEFAULT_CONTEXT_WINDOW;
  const chars = descriptionChars(tools);
  const toolCalling = audience?.toolCalling ?? true;
  const all = searchesTools({ rule, toolCalling, contextWindow, descriptionChars: chars });
  const bundled = new Set([...resolution.servers.values()].flatMap(({ id, searched }) => (searched ? [id] : [])));
  return {
    enabled: rule.enabled ?? true,
    all,
    hides: server => all || bundled.has(server),
    follows: followsChanges(rule),
    measure: {
      chars,
      allowed: charsAllowed(rule.context_threshold ?? DEFAULT_THRESHOLD, contextWindow),
      contextWindow,
    },
  };
}

function searchRule(frame: ConfigFrame, agent: string | undefined): SearchDef {
  return { ...frame.search, ...agentNamed(frame, agent)?.search };
}
