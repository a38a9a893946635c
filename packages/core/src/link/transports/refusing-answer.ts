/** Newer servers refuse a request with a status and with a JSON-RPC error at once. Whether a body is such an error. Pure. */
export function isRefusingAnswer(body: string, id: number | undefined): boolean {
  if (id === undefined || !body.startsWith('{')) return false;
  try {
    const message = JSON.parse(body) as { id?: unknown; error?: unknown };
    return message.id === id && message.error !== undefined;
  } catch {
    return false;
  }
}
