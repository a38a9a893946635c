/** Fetches a small document from an address that configuration, or an issuer, names. It goes nowhere else. */
import { JunctorError } from '@junctor/core';
import { isLoopback } from '@junctor/core/internal';

const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 5000;

/** Https everywhere but on this machine: keys that anybody on the way could swap would let anybody in. */
export function expectSafe(address: string, what: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))) return url;
  throw new JunctorError('usage', `${what}, ${address}, must begin with https://.`, {
    hint: 'http:// is taken for this machine alone, as http://127.0.0.1:8080',
  });
}

/** A redirect is not followed: it could lead to any address that only this machine can reach. */
export async function fetchSmall(url: URL): Promise<Response> {
  const answer = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += piece.length;
    if (bytes > MAX_BYTES) throw new Error(`${url.href} answers with more than ${MAX_BYTES} bytes`);
    pieces.push(piece);
  }
  return new Response(Buffer.concat(pieces), { status: answer.status, headers: answer.headers });
}
