/** The state a client carries for us from one round to the next: signed, because it could be changed on the way. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { CODE, RpcError } from '../../rpc.ts';

export function seal(state: object, secret: Buffer): string {
  const payload = Buffer.from(JSON.stringify(state)).toString('base64url');
  return `${payload}.${signature(payload, secret).toString('base64url')}`;
}

export function unseal(sealed: unknown, secret: Buffer): unknown {
  const [payload = '', signed = '', ...more] = String(sealed).split('.');
  const given = Buffer.from(signed, 'base64url');
  const expected = signature(payload, secret);
  // Decoding base64 overlooks what does not belong to it: the text must be the one that was sent, to the letter.
  const intact = given.toString('base64url') === signed && given.length === expected.length;
  if (more.length > 0 || !intact || !timingSafeEqual(given, expected)) throw spoiled();
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
}

export function spoiled(): RpcError {
  return new RpcError(CODE.invalidParams, 'The request state is not the one this server gave out.');
}

function signature(payload: string, secret: Buffer): Buffer {
  return createHmac('sha256', secret).update(payload).digest();
}
