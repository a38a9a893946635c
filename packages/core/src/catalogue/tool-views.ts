/** The views of one host: who reads its tools, and under which names. */

import type { McpConfigLoadResult } from '../config/load.ts';
import type { NamingStrategy } from './naming/strategy.ts';
import type { Audience, Readers } from './profiles/audience.ts';
import { type View, viewOf } from './view.ts';

/** For whom tools are listed, and how they are named. */
export interface ToolView extends Readers {
  /** How tools are called in public. Default: what the host says. */
  readonly naming?: NamingStrategy | undefined;
  /** Also the tools that servers offer only to their own user interfaces, not to models. Default: false. */
  readonly apps?: boolean | undefined;
}

export type Config = Pick<McpConfigLoadResult, 'frame'>;

/** A strategy, or the rule by which a config decides it. */
export type NamingChoice = NamingStrategy | ((config: Config) => NamingStrategy);

/** Agents put something before the names of tools themselves: without a server before it only where the config wants that. */
export function agentNaming({ frame }: Config): NamingStrategy {
  return frame.naming?.strategy === 'auto' ? 'auto' : 'server_tool';
}

/** Each worked out once for each config. */
export class ToolViews {
  readonly #naming: NamingChoice | undefined;
  readonly #config: () => Config;
  #frame: Config['frame'] | undefined;
  #views = new Map<string, View | Promise<View>>();

  /** `naming`: what the embedding program says. */
  constructor(config: () => Config, naming: NamingChoice | undefined) {
    this.#config = config;
    this.#naming = naming;
  }

  of({ model, client, naming: given }: ToolView): View | Promise<View> {
    const { frame } = this.#config();
    const naming = given ?? (typeof this.#naming === 'function' ? this.#naming({ frame }) : this.#naming);
    if (frame !== this.#frame) {
      this.#frame = frame;
      this.#views = new Map();
    }
    const key = JSON.stringify([model, client, naming]);
    const known = this.#views.get(key);
    if (known) return known;
    // Where nobody is named, nothing need be known of models and clients.
    const named = model !== undefined || client !== undefined;
    const view = named ? namedView({ model, client, naming }, { frame }) : defaultView(naming, { frame });
    this.#views.set(key, view);
    return view;
  }
}

/** Given, else as the config says, else `server_tool` for a client, which puts something before it, and `mcp__` for others. */
export function defaultView(naming: NamingStrategy | undefined, { frame }: Config, audience?: Audience): View {
  return viewOf(naming ?? frame.naming?.strategy ?? 'mcp__', audience);
}

async function namedView(view: ToolView, config: Config): Promise<View> {
  return (await import('./tool-view.ts')).toolView(view, config);
}

/**
 * A client that reads the list again can begin with what is there. One that does not would never see a server that starts
 * slowly: for it the list waits longer, but not so long that the client gives up on all of it, as Codex does after 10 s.
 */
const WHOLE_LIST_MS = 8000;

export function patienceFor({ audience }: View, patienceMs: number | undefined): number | undefined {
  if (patienceMs === undefined || audience?.listChanged !== false) return patienceMs;
  return Math.max(patienceMs, WHOLE_LIST_MS);
}
