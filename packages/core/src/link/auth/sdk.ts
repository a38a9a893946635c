/**
 * The protocol steps of OAuth come from the MCP SDK. It takes longer to load than a small server to start, so it is loaded
 * when somebody really signs in or renews a token, and never before.
 */
export type Sdk = typeof import('./sdk-parts.ts');

export function loadSdk(): Promise<Sdk> {
  return import('./sdk-parts.ts');
}

/** An authorization server that does not answer in this time is treated as one that cannot be reached. */
const ANSWER_MS = 20_000;

/** `fetch` with an end. */
export function boundedFetch(signal?: AbortSignal): typeof fetch {
  return (input, init) => {
    const ends = [AbortSignal.timeout(ANSWER_MS), signal, init?.signal].filter(end => end != null);
    return fetch(input, { ...init, signal: AbortSignal.any(ends) });
  };
}
