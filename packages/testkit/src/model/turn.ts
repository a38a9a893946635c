/** What the scripted model does when it is asked: the same words whatever API it is asked through. */
export interface Turn {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Names of tools that the provider's own search finds first. Only where the API has such a search. */
  readonly finds?: readonly string[];
  /** The request is refused instead. */
  readonly fails?: { readonly status: number; readonly message: string };
  /** Nothing follows the text: the answer stays open until the client leaves. Only in a stream. */
  readonly hangs?: boolean;
  /** The connection breaks after the text. Only in a stream. */
  readonly breaks?: boolean;
  readonly tokens?: { readonly input: number; readonly output: number };
}

export interface ScriptedCall {
  readonly name: string;
  /** A text is sent as it is: a model may write JSON that is none. */
  readonly args?: Readonly<Record<string, unknown>> | string;
  readonly id?: string;
}

/** One turn for each request, in order. A function sees the request first. */
export type Script = readonly (Turn | ((request: ModelRequest) => Turn | Promise<Turn>))[];

export interface ModelRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** Settles when the connection of this request is over: the answer is complete, or the client left. */
  readonly over: Promise<'answered' | 'left'>;
}

/** A turn with what every API needs to write it down. */
export interface Spoken extends Turn {
  readonly id: string;
  readonly model: string;
  readonly calls: readonly SpokenCall[];
  readonly tokens: { readonly input: number; readonly output: number };
}

export interface SpokenCall {
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

export function spoken(turn: Turn, number: number, model: string): Spoken {
  const calls = (turn.calls ?? []).map(({ name, args = {}, id }, index) => ({
    id: id ?? `call_${number}_${index}`,
    name,
    args: typeof args === 'string' ? args : JSON.stringify(args),
  }));
  return { tokens: { input: 10, output: 5 }, ...turn, id: `turn_${number}`, model, calls };
}

/** A text as it trickles in: no piece is a whole word with its neighbour's. */
export function pieces(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

/** JSON as it trickles in: cut anywhere. */
export function scraps(json: string, size = 7): string[] {
  const found: string[] = [];
  for (let at = 0; at < json.length; at += size) found.push(json.slice(at, at + size));
  return found;
}
