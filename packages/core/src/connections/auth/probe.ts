/** Asks a server, without any credentials, what it wants: only its refusal may say where one signs in. */
import { type BearerChallenge, readChallenge } from './challenge.ts';
import { boundedFetch } from './oauth/sdk.ts';

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

const MAX_HOPS = 3;

/** Empty where it says nothing, or cannot be asked: then the well-known places are looked at. */
export async function askForChallenge(
  url: string,
  transport: 'http' | 'sse' | 'ws',
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<BearerChallenge> {
  const request =
    transport === 'http'
      ? {
          method: 'POST',
          body: PING,
          headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        }
      : { method: 'GET', headers: { ...headers, accept: 'text/event-stream' } };
  try {
    const response = await fetchWithinOrigin(new URL(url), request, signal);
    await response.body?.cancel();
    return response.status === 401 ? readChallenge(response.headers.get('www-authenticate') ?? undefined) : {};
  } catch {
    return {};
  }
}

/** As the transport itself goes: the headers of the config are meant for this origin and for no other. */
async function fetchWithinOrigin(url: URL, request: RequestInit, signal: AbortSignal): Promise<Response> {
  for (let [at, hops] = [url, 0]; ; hops++) {
    const response = await boundedFetch(signal)(at, request);
    const location = response.headers.get('location');
    const next = response.status >= 300 && response.status <= 399 && location ? URL.parse(location, at.href) : null;
    if (next?.origin !== url.origin || hops >= MAX_HOPS) return response;
    await response.body?.cancel();
    at = next;
  }
}
