/** What a machine calls itself in addresses, as a `URL` writes it. */
export const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK_NAMES.has(hostname);
}
