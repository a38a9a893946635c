/** Asks a server, without any credentials, what it wants: only its refusal may say where one signs in. */
import { type BearerChallenge, readChallenge } from './challenge.ts';
import { boundedFetch } from './sdk.ts';

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

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
    const response = await boundedFetch(signal)(url, request);
    await response.body?.cancel();
    return response.status === 401 ? readChallenge(response.headers.get('www-authenticate') ?? undefined) : {};
  } catch {
    return {};
  }
}
