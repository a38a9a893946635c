/** Servers may answer a request with an HTTP error and with its JSON-RPC answer at once. What kind of answer a body is. Pure. */
export function answerIn(body: string, id: number | undefined): 'result' | 'error' | undefined {
  if (id === undefined || !/^\s*\{/.test(body)) return undefined;
  try {
    const message = JSON.parse(body) as { id?: unknown; error?: unknown; result?: unknown };
    if (message.id !== id) return undefined;
    if (message.error !== undefined && message.error !== null) return 'error';
    return message.result === undefined ? undefined : 'result';
  } catch {
    return undefined;
  }
}
