/** Who reads the tools, as a program or a person says it, and what follows from that. */
import type { NamingStrategy } from './catalogue/naming/strategy.ts';
import { type Audience, audienceOf, type Readers } from './catalogue/profiles/audience.ts';
import { CLIENT_PROFILES } from './catalogue/profiles/built-in.ts';
import { type View, viewOf } from './catalogue/view.ts';
import type { McpConfigLoadResult } from './config/load.ts';

export interface ToolView extends Readers {
  /** How tools are called in public. Default: what the host says. */
  readonly naming?: NamingStrategy | undefined;
}

type Config = Pick<McpConfigLoadResult, 'frame'>;

/** Given, else as the config says, else `server_tool` for a client, which puts something before it, and `mcp__` for others. */
export function toolView({ naming, ...readers }: ToolView, { frame }: Config): View {
  const audience = audienceFor(readers, { frame });
  const byDefault = audience?.profiles.client === undefined ? 'mcp__' : 'server_tool';
  return viewOf(naming ?? frame.naming?.strategy ?? byDefault, audience);
}

/** The views of one host, each worked out once for each config. */
export class ToolViews {
  readonly #naming: NamingStrategy | undefined;
  readonly #config: () => Config;
  #frame: Config['frame'] | undefined;
  #views = new Map<string, View>();

  /** `naming`: what the embedding program says. */
  constructor(config: () => Config, naming: NamingStrategy | undefined) {
    this.#config = config;
    this.#naming = naming;
  }

  of({ model, client, naming = this.#naming }: ToolView): View {
    const { frame } = this.#config();
    if (frame !== this.#frame) {
      this.#frame = frame;
      this.#views = new Map();
    }
    const key = JSON.stringify([model, client, naming]);
    const view = this.#views.get(key) ?? toolView({ model, client, naming }, { frame });
    this.#views.set(key, view);
    return view;
  }
}

export function audienceFor(readers: Readers, { frame }: Config): Audience | undefined {
  return audienceOf(readers, { models: frame.model_profiles, clients: frame.client_profiles });
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

/** The client profile of an agent: its own, where there is one, else that of any client. */
export function clientOf(agent: string, { frame }: Config): string {
  const known = Object.hasOwn(CLIENT_PROFILES, agent) || Object.hasOwn(frame.client_profiles ?? {}, agent);
  return known ? agent : 'default';
}
