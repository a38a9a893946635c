/**
 * The protocol steps of OAuth come from the MCP SDK. It takes longer to load than a small server to start, so it is loaded
 * when somebody really signs in or renews a token, and never before.
 */
export type Sdk = typeof import('./sdk-parts.ts');

export function loadSdk(): Promise<Sdk> {
  return import('./sdk-parts.ts');
}

/** An authorization server that does not answer in this time is treated as one that cannot be reached. */
export const ANSWER_MS = 20_000;

/**
 * So long the answer to a refresh is waited for, though nobody may wait for it any more: it holds the only refresh token
 * that is still good. Sending the spent one again would end the grant.
 */
export const REFRESH_ANSWER_MS = 3 * 60_000;

/** Far more than any document of an authorization server needs. */
export const LONGEST_ANSWER = 1024 * 1024;

/**
 * `fetch` with an end, in time and in size. It follows no redirect by itself: what is sent, a token or a header of the
 * config, is meant for one origin. The SDK follows those that stay within it.
 */
export function boundedFetch(signal?: AbortSignal, answerMs = ANSWER_MS): typeof fetch {
  return async (input, init) => {
    const ends = [AbortSignal.timeout(answerMs), signal, init?.signal].filter(end => end != null);
    const response = await fetch(input, { redirect: 'manual', ...init, signal: AbortSignal.any(ends) });
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(atMost(LONGEST_ANSWER)), { status, statusText, headers });
  };
}

function atMost(bytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let left = bytes;
  return new TransformStream({
    transform(chunk, controller) {
      left -= chunk.length;
      if (left < 0) controller.error(new Error(`the answer is longer than ${bytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
