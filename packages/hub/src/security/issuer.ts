/** Checks access tokens of one issuer: its signature by its published keys, its name, the times. It asks nobody for a token. */
import { isJunctorError, JunctorError } from '@junctor/core';
import { isLoopback } from '@junctor/core/internal';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { expectSafe, fetchSmall } from './bounded-fetch.ts';

/** Nothing that the holder of a public key could make. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Clocks differ; a token that ended this long ago is still taken. */
export const CLOCK_TOLERANCE_SECONDS = 5;

/** New keys are looked for at most this often: a flood of strange tokens must not become one of requests to the issuer. */
const NEW_KEYS_EVERY_MS = 2000;

/** Keys are read again after this long, so that one that was withdrawn is not taken for ever. */
const KEEP_KEYS_MS = 10 * 60_000;

/** An issuer that did not answer is not asked again for this long. */
const AGAIN_AFTER_MS = 2000;

export class Issuer {
  readonly url: string;
  #keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(url: string) {
    expectSafe(url, 'The issuer');
    this.url = url;
  }

  /** The claims of a good token. Throws `token_required` for any other, and `connection_failed` where the issuer is away. */
  async verify(token: string): Promise<JWTPayload> {
    const { jwtVerify } = await import('jose');
    try {
      const { payload } = await jwtVerify(token, await this.#published(), {
        issuer: this.url,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['exp', 'aud'],
      });
      return payload;
    } catch (error) {
      throw await translated(error, this.url);
    }
  }

  #published(): Promise<JWTVerifyGetKey> {
    this.#keys ??= this.#discover().catch(error => {
      setTimeout(() => {
        this.#keys = undefined;
      }, AGAIN_AFTER_MS).unref();
      throw error;
    });
    return this.#keys;
  }

  async #discover(): Promise<JWTVerifyGetKey> {
    const { createRemoteJWKSet, customFetch } = await import('jose');
    const { issuer, jwks_uri } = await readMetadata(this.url);
    // Whoever answers under another name is another issuer (RFC 8414, 3.3).
    if (issuer !== this.url) throw unreachable(this.url, `its metadata says that it is ${String(issuer)}`);
    const address = expectSafe(String(jwks_uri), 'The address of the keys of the issuer');
    if (isLoopback(address) && !isLoopback(new URL(this.url)))
      throw unreachable(this.url, `its keys would lie on this machine, at ${address.href}`);
    return createRemoteJWKSet(address, {
      cooldownDuration: NEW_KEYS_EVERY_MS,
      cacheMaxAge: KEEP_KEYS_MS,
      [customFetch]: (url: string) => fetchSmall(new URL(url)),
    });
  }
}

/** OpenID Connect puts the well-known part behind the path of the issuer, RFC 8414 before it. */
async function readMetadata(issuer: string): Promise<{ issuer?: unknown; jwks_uri?: unknown }> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
  let why = '';
  for (const place of places) {
    try {
      const answer = await fetchSmall(new URL(place));
      if (answer.ok) return (await answer.json()) as object;
      why = `${place} answers with status ${answer.status}`;
    } catch (error) {
      why = `${place}: ${reasonOf(error)}`;
    }
  }
  throw unreachable(issuer, why);
}

function unreachable(issuer: string, why: string): JunctorError {
  return new JunctorError('connection_failed', `The issuer ${issuer} cannot be asked for its keys.`, {
    why,
    hint: 'try again later; whoever runs the hub can check --issuer',
  });
}

async function translated(error: unknown, issuer: string): Promise<JunctorError> {
  if (isJunctorError(error)) return error;
  const { errors } = await import('jose');
  const known = error instanceof errors.JOSEError;
  if (!known || error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid)
    return unreachable(issuer, reasonOf(error));
  const what = error instanceof errors.JWTExpired ? 'The token has expired' : `The token is not good: ${error.message}`;
  return new JunctorError('token_required', `${what}.`, { hint: 'sign in again', cause: error });
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
