/** The hub as an OAuth resource server (RFC 9728): says who gives out tokens for it, and takes them. It gives out none itself. */
import { hash } from 'node:crypto';
import { isJunctorError } from '@junctor/core';
import { byIssuer } from '../store/token-maker.ts';
import { bearerAt, openedBy, PERSON_SCOPE, TOOLS_SCOPE } from './access-token.ts';
import type { Identity, Known } from './identity.ts';
import { CLOCK_TOLERANCE_SECONDS, Issuer } from './issuer.ts';

export const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** So many tokens are remembered as good. Checking one again costs a signature. */
const MAX_REMEMBERED = 1000;

/** A token that was good is looked at again after this long, also where it lasts longer. */
const REMEMBER_MS = 60_000;

export interface ResourceServerOptions {
  readonly issuer: string;
  /** Addresses under which clients know this hub, without a slash at the end; the first is its own. */
  readonly bases: readonly string[];
}

export class ResourceServer {
  readonly #issuer: Issuer;
  readonly #bases: readonly string[];
  readonly #good = new Map<string, { readonly known: Known; readonly until: number }>();

  constructor({ issuer, bases }: ResourceServerOptions) {
    this.#issuer = new Issuer(issuer);
    this.#bases = bases;
  }

  /** The metadata of the hub, or of one of its doors. Undefined where nothing is at that path. */
  metadata(path: string, host: string | undefined): object | undefined {
    const inside = path.slice(WELL_KNOWN.length).replace(/\/$/, '');
    if (inside !== '' && !bearerAt(inside)) return undefined;
    return {
      resource: `${this.#baseOf(host)}${inside}`,
      authorization_servers: [this.#issuer.url],
      scopes_supported: inside === '' ? [TOOLS_SCOPE, PERSON_SCOPE] : [TOOLS_SCOPE],
      bearer_methods_supported: ['header'],
      resource_name: 'Junctor hub',
    };
  }

  async identify(token: string, path: string, host: string | undefined): Promise<Identity> {
    const base = this.#baseOf(host);
    const key = hash('sha256', `${base} ${token}`, 'base64url');
    const remembered = this.#good.get(key);
    if (remembered && remembered.until > Date.now()) return remembered.known;
    try {
      const claims = await this.#issuer.verify(token);
      const opened = openedBy(claims, base);
      if ('lacks' in opened) return this.#insufficient(opened.lacks, path, host);
      if ('madeFor' in opened)
        return this.#unknown(
          path,
          host,
          `The token was made for ${opened.madeFor.join(', ') || 'nobody'}, not for this hub.`,
        );
      const { iss, sub, client_id, azp } = claims;
      // Without it, everybody the issuer serves would be one owner, who shares sessions.
      if (typeof sub !== 'string' || sub === '')
        return this.#unknown(path, host, 'The token names nobody: its claim sub is missing.');
      const owner = hash('sha256', JSON.stringify([iss, sub, client_id ?? azp]), 'base64url');
      const until = (Number(claims.exp) + CLOCK_TOLERANCE_SECONDS) * 1000;
      const { bearer } = opened;
      const known: Known = { bearer, principal: `${bearer.kind} ${owner}`, by: byIssuer(owner), until };
      if (this.#good.size >= MAX_REMEMBERED) this.#good.clear();
      this.#good.set(key, { known, until: Math.min(Date.now() + REMEMBER_MS, Number(claims.exp) * 1000) });
      return known;
    } catch (error) {
      if (!isJunctorError(error)) throw error;
      if (error.code === 'token_required') return this.#unknown(path, host, error.message);
      const { message, hint = '' } = error;
      return { status: 503, code: 'connection_failed', sentence: message, hint, headers: { 'retry-after': '5' } };
    }
  }

  /** What a 401 points to. `sentence`: what is wrong with the token that came, where one did. */
  challenge(path: string, host: string | undefined, sentence?: string): string {
    const error = sentence === undefined ? [] : ['error="invalid_token"', `error_description="${quoted(sentence)}"`];
    const scope = bearerAt(path) ? TOOLS_SCOPE : PERSON_SCOPE;
    return `Bearer ${[...error, `scope="${scope}"`, this.#pointer(path, host)].join(', ')}`;
  }

  #unknown(path: string, host: string | undefined, sentence: string): Identity {
    const headers = { 'www-authenticate': this.challenge(path, host, sentence) };
    return { status: 401, code: 'token_required', sentence, hint: `sign in with ${this.#issuer.url}`, headers };
  }

  #insufficient(scope: string, path: string, host: string | undefined): Identity {
    const challenge = ['error="insufficient_scope"', `scope="${scope}"`, this.#pointer(path, host)].join(', ');
    return {
      status: 403,
      code: 'token_refused',
      sentence: `The token does not have the scope ${scope}.`,
      hint: 'sign in again and ask for that scope',
      headers: { 'www-authenticate': `Bearer ${challenge}` },
    };
  }

  #pointer(path: string, host: string | undefined): string {
    const inside = bearerAt(path) ? path : '';
    return `resource_metadata="${this.#baseOf(host)}${WELL_KNOWN}${inside}"`;
  }

  /**
   * The address the client used, where it is one of ours. Any other Host would let a token through that was made for
   * another program on this machine.
   */
  #baseOf(host: string | undefined): string {
    return this.#bases.find(base => new URL(base).host === host?.toLowerCase()) ?? (this.#bases[0] as string);
  }
}

function quoted(sentence: string): string {
  return sentence.replace(/[^\x20-\x7e]|["\\]/g, '');
}
