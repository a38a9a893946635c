/**
 * The protocol steps of OAuth come from the MCP SDK. It takes longer to load than a small server to start, so it is loaded
 * when somebody really signs in or renews a token, and never before.
 */
import { proxyAgent, proxyFor } from '../../transports/proxy.ts';
import { LONGEST_ANSWER, sendRequest } from './send-request.ts';

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

/**
 * `fetch` with an end, in time and in size. It follows no redirect by itself: what is sent, a token or a header of the
 * config, is meant for one origin. The SDK follows those that stay within it.
 */
export function boundedFetch(given?: AbortSignal, answerMs = ANSWER_MS): typeof fetch {
  return async (input, init) => {
    const ends = [AbortSignal.timeout(answerMs), given, init?.signal].filter(end => end != null);
    const at = new URL(input instanceof Request ? input.url : input);
    const proxyEnv = proxyFor(at, process.env);
    const signal = AbortSignal.any(ends);
    if (proxyEnv) return sendRequest(new Request(input as Request, init), signal, { agent: proxyAgent(at, proxyEnv) });
    const response = await fetch(input, { redirect: 'manual', ...init, signal });
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
