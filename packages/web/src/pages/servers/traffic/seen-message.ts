/** What a message says, in a few words. Pure. */
interface Read {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown; readonly uri?: unknown };
  readonly result?: unknown;
  readonly error?: { readonly message?: unknown };
}

/** `tools/call echo (3)`, `answer to 3`, `error to 3: no such tool`. */
export function summaryOf(text: string): string {
  const message = readMessage(text);
  if (!message) return text.slice(0, 200);
  const { id, method, params, error } = message;
  const number = id === undefined ? '' : ` (${String(id)})`;
  if (typeof method === 'string') return [method, params?.name ?? params?.uri ?? ''].join(' ').trim() + number;
  if (error) return `error to ${String(id)}: ${String(error.message)}`;
  return `answer to ${String(id)}`;
}

/** By what a question and its answer belong together; undefined for what is neither. */
export function idOf(text: string): { readonly id: string; readonly asks: boolean } | undefined {
  // The rest of a long message is not here, but its id may be.
  const message = readMessage(text) ?? { id: /"id":("?[\w-]+"?)/.exec(text)?.[1], method: text.includes('"method"') };
  if (message.id === undefined) return undefined;
  return { id: String(message.id), asks: Boolean(message.method) };
}

export function asJson(text: string): string {
  const message = readMessage(text);
  return message ? JSON.stringify(message, undefined, 2) : text;
}

function readMessage(text: string): Read | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
