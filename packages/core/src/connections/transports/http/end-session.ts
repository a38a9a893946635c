/** Tells a Streamable HTTP server that its session is no longer needed, as the protocol asks. A courtesy: it never fails. */
import type { ClientRequest } from 'node:http';
import type { HttpTarget } from './http-target.ts';

/** In all, not of silence: closing must not wait for a server that no longer answers, nor for one whose answer drips. */
const GOODBYE_MS = 1000;

export function endSession(target: HttpTarget, headers: Readonly<Record<string, string>>): Promise<void> {
  return new Promise(resolve => {
    let request: ClientRequest;
    try {
      request = target.open('DELETE', headers);
    } catch {
      return resolve();
    }
    const impatience = setTimeout(() => request.destroy(), GOODBYE_MS);
    request.on('response', response => response.resume());
    request.on('error', () => {});
    request.on('close', () => {
      clearTimeout(impatience);
      resolve();
    });
    request.end();
  });
}
