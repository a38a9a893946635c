/** Sends a request of `fetch` over a connection that the caller chooses: `fetch` itself lets nobody choose. Bounded in size. */
import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';

/** Far more than any document of an authorization server needs. */
export const LONGEST_ANSWER = 1024 * 1024;

export async function sendRequest(
  request: Request,
  signal: AbortSignal,
  connection: Pick<RequestOptions, 'lookup' | 'agent'>,
): Promise<Response> {
  const body = Buffer.from(await request.arrayBuffer());
  const { method, url } = request;
  const headers = { ...Object.fromEntries(request.headers), 'accept-encoding': 'identity' };
  const answer = await new Promise<IncomingMessage>((done, fail) => {
    const sent = (url.startsWith('https:') ? https : http).request(
      url,
      { method, headers, signal, ...connection },
      done,
    );
    sent.on('error', error => fail(asFetchFails(error, signal)));
    sent.end(body.length > 0 ? body : undefined);
  });
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > LONGEST_ANSWER) throw new Error(`the answer is longer than ${LONGEST_ANSWER} bytes`);
    pieces.push(piece);
  }
  const status = answer.statusCode ?? 500;
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : Buffer.concat(pieces), { status, headers: headersOf(answer) });
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value);
  return headers;
}

/** What `fetch` throws where a connection fails: the callers know that. A refusal of ours is told as it is. */
function asFetchFails(error: NodeJS.ErrnoException, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  return error.code === undefined ? error : new TypeError('fetch failed', { cause: error });
}
