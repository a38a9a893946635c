/**
 * The sign-in of one server as its transports see it: the token of the shelf, renewed ahead of its end and when it is
 * refused. Where only a person can help, the server is parked: it is not asked again before somebody signed in.
 */

import { isJunctorError, type JunctorError, sentenceOf } from '../../../base/error.ts';
import { waitAtMost, withDeadline } from '../../../base/time/deadline.ts';
import { monotonicMs } from '../../../base/time/monotonic.ts';
import { type BearerChallenge, joinScopes, readChallenge, widens } from '../challenge.ts';
import type { Challenge, Credentials, HeldSignIn } from '../credentials.ts';
import {
  authorityUnreachable,
  endsGrant,
  isFinal,
  moreScopeNeeded,
  nothingToSignInTo,
  oauthCode,
  signInNeeded,
} from '../failures.ts';
import type { Interaction } from '../interaction.ts';
import { ageOf, authorizationOf, belongsTo, type TokenEntry } from '../tokens/token-entry.ts';
import type { OAuthCredentialsOptions } from './oauth-options.ts';
import { ANSWER_MS } from './sdk.ts';

/** A token that could not be renewed ahead of its end is used as it is for so long, before that is tried again. */
const RENEW_AGAIN_MS = 10_000;

/** So long requests wait for a renewal that they could do without. */
const RENEW_AHEAD_MS = 2000;

/** So long a host that closes waits for a renewal: its answer may hold the only refresh token that is still good. */
const CLOSING_MS = 10_000;

/** After a refusal that may pass, a refresh token that is left is tried again so much later. */
const REST_MS = 30_000;

/** So often one request may lead to a sign-in. A server that still refuses wants something else. */
const MAX_ROUNDS = 3;

/** Why a sign-in that is stored under the id of a server is not used for it. */
const UNBOUND =
  ', and a stored sign-in for this id names no address, so it is kept from servers that came with a project';

interface Parked {
  readonly error: JunctorError;
  readonly sent: string | undefined;
  /** Milliseconds since the epoch; for ever where only a person can help. */
  readonly until: number;
}

/** It goes on though nobody waits for it: see `REFRESH_ANSWER_MS`. */
interface Renewing {
  readonly tokens: Promise<TokenEntry>;
  /** By the monotonic clock. */
  readonly since: number;
}

export class OAuthCredentials implements Credentials, HeldSignIn {
  readonly #options: OAuthCredentialsOptions;
  #loaded = false;
  /** The stored sign-in names no address, and this server came with a project. */
  #unbound = false;
  #entry: TokenEntry | undefined;
  #parked: Parked | undefined;
  #renewing: Renewing | undefined;
  readonly #abandoned = new AbortController();
  #renewNotBefore = 0;
  #signingIn: Promise<void> | undefined;
  #parking: Promise<JunctorError> | undefined;
  /** What the person was last asked to grant. */
  #requested: string | undefined;
  /** What was announced as missing. */
  readonly #announced = new Set<string>();

  constructor(options: OAuthCredentialsOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  get signIn(): HeldSignIn {
    return this;
  }

  authorization(): string | undefined | Promise<string | undefined> {
    if (!this.#loaded) return this.#load().then(() => this.authorization());
    if (this.#parked) return this.#whenRenewed(this.#parked.error);
    const entry = this.#entry;
    const now = Date.now();
    const age = entry?.access_token === undefined ? 'fresh' : ageOf(entry, now);
    if (!entry || age === 'fresh' || (age === 'ageing' && now < this.#renewNotBefore)) return authorizationOf(entry);
    return this.#renewAhead(entry);
  }

  async challenged({ status, wwwAuthenticate, sent, attempt }: Challenge): Promise<boolean> {
    const challenge = readChallenge(wwwAuthenticate);
    if (await this.#hasOther(sent)) return true;
    if (status === 403) return this.#stepUp(challenge, attempt);
    let reason: JunctorError | undefined;
    if (attempt === 0 && (await this.#canRenew())) {
      try {
        await this.#awaited(this.#renew(sent, challenge), ANSWER_MS);
        return true;
      } catch (error) {
        if (!isJunctorError(error, 'auth_required')) throw error;
        reason = error;
      }
    }
    if (!this.#options.interaction || attempt >= MAX_ROUNDS) throw await this.#park(challenge, sent, reason);
    await this.#signInNow(challenge, undefined);
    return true;
  }

  async renewed(): Promise<boolean> {
    if (!this.#parked || (await this.#hasOther(this.#parked.sent))) return true;
    if (Date.now() < this.#parked.until) return false;
    this.#parked = undefined;
    return true;
  }

  async reread(): Promise<'same' | 'other' | 'gone'> {
    if (!this.#loaded) return 'same';
    const entry = await this.#read();
    const authorization = authorizationOf(entry);
    if (authorization === authorizationOf(this.#entry)) return 'same';
    this.adopt(entry);
    return authorization === undefined ? 'gone' : 'other';
  }

  adopt(entry: TokenEntry | undefined): void {
    this.#entry = entry;
    this.#loaded = true;
    this.#parked = undefined;
  }

  async settled(): Promise<void> {
    const ended = this.#renewing?.tokens.catch(() => {});
    if (ended) await waitAtMost(CLOSING_MS, ended);
    this.#abandoned.abort();
  }

  async #load(): Promise<void> {
    const { server, name, shelf, log } = this.#options;
    try {
      this.#entry = await this.#read();
      if (this.#entry && this.#entry.server_url === undefined) {
        // An entry of codelia: from now on it is that of this address.
        await shelf.change(name, old => (old && !old.server_url ? { ...old, server_url: server.url } : old));
      }
    } catch (error) {
      // A server that wants no sign-in must not suffer from where sign-ins are kept.
      log.warn('could not read or write the sign-ins', { server: server.id, error });
    }
    this.#loaded = true;
  }

  /** What the shelf holds for this server at this address. */
  async #read(): Promise<TokenEntry | undefined> {
    const { server, name, shelf } = this.#options;
    const entry = await shelf.get(name);
    this.#unbound = entry !== undefined && entry.server_url === undefined && server.ofProject === true;
    return entry && belongsTo(entry, server) ? entry : undefined;
  }

  /** Takes over what somebody else got meanwhile, in this process or another. */
  async #hasOther(sent: string | undefined): Promise<boolean> {
    const entry = await this.#read();
    const other = authorizationOf(entry);
    if (!entry || other === undefined || other === sent || ageOf(entry, Date.now()) === 'over') return false;
    this.adopt(entry);
    return true;
  }

  async #canRenew(): Promise<boolean> {
    const { isMachine } = await import('./renewal.ts');
    return this.#entry?.refresh_token !== undefined || isMachine(this.#options.server);
  }

  async #renewAhead(entry: TokenEntry): Promise<string | undefined> {
    if (!(await this.#canRenew())) return authorizationOf(entry);
    try {
      const renewing = this.#renew(authorizationOf(entry));
      const isOver = ageOf(entry, Date.now()) === 'over';
      return authorizationOf(await this.#awaited(renewing, isOver ? ANSWER_MS : RENEW_AHEAD_MS));
    } catch (error) {
      if (ageOf(entry, Date.now()) !== 'over' && !endsGrant((error as Error).cause)) {
        // It is still good, and the authorization server may be back before it is over.
        this.#renewNotBefore = Date.now() + RENEW_AGAIN_MS;
        return authorizationOf(entry);
      }
      if (!isJunctorError(error, 'auth_required')) throw error;
      if (!this.#options.interaction) throw this.#parkWith(error, authorizationOf(entry));
      // The server's own challenge says where to sign in.
      return authorizationOf(entry);
    }
  }

  #renew(outdated: string | undefined, challenge?: BearerChallenge): Renewing {
    if (this.#renewing) return this.#renewing;
    const { server, name, shelf, signal } = this.#options;
    const abandoned = this.#abandoned.signal;
    const tokens = import('./renewal.ts')
      .then(({ renew }) => renew({ server, name, shelf, outdated, challenge, signal, abandoned }))
      .then(entry => {
        this.adopt(entry);
        return entry;
      })
      .finally(() => {
        this.#renewing = undefined;
      });
    this.#renewing = { tokens, since: monotonicMs() };
    return this.#renewing;
  }

  /** All callers together wait so long: one that comes later does not begin to wait anew. */
  #awaited({ tokens, since }: Renewing, ms: number): Promise<TokenEntry> {
    const error = (): JunctorError =>
      authorityUnreachable(this.#options.server.id, new Error('it has not answered yet, and is still waited for'));
    return withDeadline(tokens, { ms: Math.max(0, ms - (monotonicMs() - since)), error });
  }

  /** A token cannot be widened by a refresh: a person has to grant more. */
  async #stepUp(challenge: BearerChallenge, attempt: number): Promise<boolean> {
    if (challenge.error !== 'insufficient_scope') return false;
    const { server, interaction } = this.#options;
    const held = this.#entry?.scope;
    const whole = joinScopes(held, challenge.scope);
    // Asking for the same again would only be refused again.
    if (interaction && attempt < MAX_ROUNDS && widens(this.#requested, whole)) {
      await this.#signInNow(challenge, whole);
      return true;
    }
    const missing = challenge.scope?.split(/\s+/).filter(scope => widens(held, scope));
    const error = moreScopeNeeded(server.id, missing?.join(' ') || challenge.scope, whole);
    if (!this.#announced.has(whole ?? '')) this.#options.onMoreScope(error);
    this.#announced.add(whole ?? '');
    throw error;
  }

  /** Turns to the person, once for all requests that wait for it. One that failed is not begun again by itself. */
  #signInNow(challenge: BearerChallenge, scope: string | undefined): Promise<void> {
    const { server, name, shelf, clientMetadataUrl, signal } = this.#options;
    const interaction = this.#options.interaction as Interaction;
    const request = { server, name, shelf, challenge, scope, interaction, clientMetadataUrl, signal };
    this.#requested = joinScopes(this.#requested, scope, scope ? undefined : challenge.scope);
    this.#signingIn ??= import('../sign-in.ts')
      .then(({ signInWithPerson }) => signInWithPerson(request))
      .then(
        entry => this.adopt(entry),
        error => {
          if (isJunctorError(error, 'connection_failed')) throw error;
          const why = isJunctorError(error) && error.why ? `${error.message} ${error.why}` : sentenceOf(error);
          const needed = signInNeeded(server.id, why, error);
          // Who only did not want to grant more still has what was granted before.
          throw scope === undefined ? this.#parkWith(needed, authorizationOf(this.#entry)) : needed;
        },
      )
      .finally(() => {
        this.#signingIn = undefined;
      });
    return this.#signingIn;
  }

  /** The error for everybody who asks this server from now on. */
  #park(challenge: BearerChallenge, sent: string | undefined, reason: JunctorError | undefined): Promise<JunctorError> {
    if (this.#parked) return Promise.resolve(this.#parked.error);
    this.#parking ??= this.#reasonToPark(challenge, sent, reason).finally(() => {
      this.#parking = undefined;
    });
    return this.#parking;
  }

  async #reasonToPark(
    challenge: BearerChallenge,
    sent: string | undefined,
    reason: JunctorError | undefined,
  ): Promise<JunctorError> {
    if (reason) return this.#parkWith(reason, sent);
    const { server, signal } = this.#options;
    const { findAuthority } = await import('./authority.ts');
    const authority = await findAuthority(server, challenge, signal);
    if (!authority) return nothingToSignInTo(server.id);
    const refused =
      sent === undefined ? `HTTP 401${this.#unbound ? UNBOUND : ''}` : 'HTTP 401 on the token it had been given';
    return this.#parkWith(signInNeeded(server.id, `${refused}; one signs in at ${authority.issuer}`), sent);
  }

  #parkWith(error: JunctorError, sent: string | undefined): JunctorError {
    // A code that nobody knows may be a provider's word for trouble of its own.
    const mayPass = oauthCode(error.cause) !== undefined && !isFinal(error.cause) && this.#entry?.refresh_token;
    this.#parked = { error, sent, until: mayPass ? Date.now() + REST_MS : Number.POSITIVE_INFINITY };
    return error;
  }

  async #whenRenewed(error: JunctorError): Promise<string | undefined> {
    if (await this.renewed()) return this.authorization();
    throw error;
  }
}
