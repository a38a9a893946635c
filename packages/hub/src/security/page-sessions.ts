/**
 * How a person gets into the page: a code in an address that the hub printed, good for one visit, becomes a cookie. What
 * changes something needs a header besides, which only our own page can send.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PageCode, PageSessionRows } from '../store/page-session-rows.ts';
import { byToken, makerDigest, type TokenMaker } from '../store/token-maker.ts';

/** A printed address may be read by others later, in a log or a scrollback. Its owner opens it at once. */
const CODE_MS = 10 * 60_000;

/** A working day: a browser that somebody else uses tomorrow is not logged in. */
const SESSION_MS = 12 * 60 * 60_000;

/** How long a session that ended in another replica may still pass. */
const REMEMBER_MS = 5000;

const MAX_CODES = 100;

export const CSRF_HEADER = 'x-junctor-csrf';

export interface PageSession {
  readonly csrf: string;
  readonly expires: number;
  /** Who asked for the address that logged in, where that is known. */
  readonly name: string | null;
  /** What they asked with, as in `TokenMaker`: the login ends with it. */
  readonly made_by: string | null;
}

/** Whether the stored token of this digest is good. */
export type IsGood = (digest: string) => boolean;

export class PageSessions {
  readonly #name: string;
  /** Where people reach the hub, without a slash at the end. Known once it listens. */
  address = '';
  readonly #rows: PageSessionRows;
  readonly #several: boolean;
  /** By hash. */
  readonly #codes = new Map<string, PageCode>();
  readonly #isGood: IsGood;
  readonly #known = new Map<string, Omit<PageSession, 'csrf'> & { readonly fresh: number }>();
  #onLogout: (login: string) => void = () => {};

  /** `whose`: names the hub, or all that stand on one database, where there may be several: a login counts at each. */
  constructor(
    rows: PageSessionRows,
    whose: string,
    { isGood, several = false }: { isGood: IsGood; several?: boolean },
  ) {
    this.#rows = rows;
    this.#isGood = isGood;
    this.#several = several;
    this.#name = `junctor_${digest(whose).slice(0, 8)}`;
  }

  /**
   * No two hubs of one machine have the same: a browser keeps the cookies of all its ports together. Over https the prefix
   * makes the browser refuse one that another host, or a page over plain http, sets in our name.
   */
  get cookieName(): string {
    if (!this.secure) return this.#name;
    return `${this.path === '/' ? '__Host-' : '__Secure-'}${this.#name}`;
  }

  get secure(): boolean {
    return this.address.startsWith('https:');
  }

  /** Where the page lies on its host, with a slash at the end. */
  get path(): string {
    return URL.parse(`${this.address}/`)?.pathname ?? '/';
  }

  /** An address that logs in once. The login acts in the name of who asked for it, and ends with what they asked with. */
  async newAddress({ by, name, until }: TokenMaker): Promise<string> {
    const code = secret();
    if (this.#codes.size >= MAX_CODES) this.#codes.delete(this.#codes.keys().next().value as string);
    const [key, made] = [
      digest(code),
      { expires: Date.now() + CODE_MS, name: name ?? null, made_by: by, until: until ?? null },
    ];
    // Where the database does not answer, it is good at this hub.
    if (this.#several) await this.#rows.addCode(key, made).catch(() => this.#codes.set(key, made));
    else this.#codes.set(key, made);
    return `${this.address}/?code=${code}`;
  }

  /** The cookie of a new session. Undefined for a code that was used before, is too old, or never was one. */
  async login(code: string): Promise<{ readonly cookie: string; readonly maxAgeSeconds: number } | undefined> {
    const key = digest(code);
    const here = this.#codes.get(key);
    // Taken away before anything is waited for: of two visits at once one gets in.
    this.#codes.delete(key);
    const made = here ?? (this.#several ? await this.#rows.takeCode(key) : undefined);
    const now = Date.now();
    if (made === undefined || made.expires < now || !this.#makerIsGood(made)) return undefined;
    const cookie = secret();
    const { name, made_by, until } = made;
    const expires = Math.min(now + SESSION_MS, until ?? Number.POSITIVE_INFINITY);
    if (expires <= now) return undefined;
    await this.#rows.add({ sha256: digest(cookie), created: now, expires, name, made_by });
    return { cookie, maxAgeSeconds: Math.ceil((expires - now) / 1000) };
  }

  async find(cookie: string): Promise<PageSession | undefined> {
    const key = digest(cookie);
    const now = Date.now();
    const known = this.#known.get(key);
    const login = known && known.fresh > now ? known : await this.#rows.find(key);
    if (login === undefined || login.expires < now || !this.#makerIsGood(login)) return void this.#known.delete(key);
    const { expires, name, made_by } = login;
    this.#known.set(key, { expires, name, made_by, fresh: now + REMEMBER_MS });
    return { csrf: csrfOf(cookie), expires, name, made_by };
  }

  async logout(cookie: string): Promise<void> {
    const login = digest(cookie);
    this.forget(login);
    await this.#rows.remove(login);
    this.#onLogout(login);
  }

  /** Ends the logins, and the addresses nobody opened yet, that were made with these tokens; known by their digests. */
  async endMadeBy(digests: Iterable<string>): Promise<void> {
    const makers = new Set([...digests].map(byToken));
    if (makers.size === 0) return;
    for (const [code, { made_by }] of this.#codes) if (made_by && makers.has(made_by)) this.#codes.delete(code);
    for (const login of await this.#rows.removeMadeBy([...makers])) {
      this.forget(login);
      this.#onLogout(login);
    }
  }

  /** Told of each login that ends here, by the digest of its cookie. The returned function stops. */
  onLogout(listener: (login: string) => void): () => void {
    this.#onLogout = listener;
    return () => {
      this.#onLogout = () => {};
    };
  }

  #makerIsGood({ made_by }: Pick<PageSession, 'made_by'>): boolean {
    const maker = makerDigest(made_by);
    return maker === undefined || this.#isGood(maker);
  }

  /** It ended: what is remembered of it counts no more. */
  forget(login: string): void {
    this.#known.delete(login);
  }
}

export function isCsrf({ csrf }: PageSession, sent: unknown): boolean {
  return (
    typeof sent === 'string' && sent.length === csrf.length && timingSafeEqual(Buffer.from(sent), Buffer.from(csrf))
  );
}

/** Made from the cookie, which no script can read: who has it was given it by us. */
function csrfOf(cookie: string): string {
  return hash('sha256', `csrf of ${cookie}`, 'base64url');
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

function digest(text: string): string {
  return hash('sha256', text, 'hex');
}
