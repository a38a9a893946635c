/**
 * How a person gets into the page: a code in an address that the hub printed, good for one visit, becomes a cookie. What
 * changes something needs a header besides, which only our own page can send.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PageSessionRows } from '../store/page-session-rows.ts';

/** A printed address that nobody opened for so long is not opened by its owner any more. */
const CODE_MS = 60 * 60_000;

/** A working day: a browser that somebody else uses tomorrow is not logged in. */
const SESSION_MS = 12 * 60 * 60_000;

/** How long a session that ended in another replica may still pass. */
const REMEMBER_MS = 5000;

const MAX_CODES = 100;

export const CSRF_HEADER = 'x-junctor-csrf';

export interface PageSession {
  readonly csrf: string;
  readonly expires: number;
}

export class PageSessions {
  /** No two hubs of one machine have the same: a browser keeps the cookies of all its ports together. */
  readonly cookieName: string;
  /** Where people reach the hub, without a slash at the end. Known once it listens. */
  address = '';
  readonly #rows: PageSessionRows;
  readonly #several: boolean;
  /** By hash, with the moment they end. */
  readonly #codes = new Map<string, number>();
  readonly #known = new Map<string, { readonly expires: number; readonly until: number }>();
  #onLogout: (login: string) => void = () => {};

  /** `whose`: names the hub, or all that stand on one database, where there may be several: a login counts at each. */
  constructor(rows: PageSessionRows, whose: string, { several = false } = {}) {
    this.#rows = rows;
    this.#several = several;
    this.cookieName = `junctor_${digest(whose).slice(0, 8)}`;
  }

  /** An address that logs in once. */
  async newAddress(): Promise<string> {
    const code = secret();
    if (this.#codes.size >= MAX_CODES) this.#codes.delete(this.#codes.keys().next().value as string);
    const [key, ends] = [digest(code), Date.now() + CODE_MS];
    // Where the database does not answer, it is good at this hub.
    if (this.#several) await this.#rows.addCode(key, ends).catch(() => this.#codes.set(key, ends));
    else this.#codes.set(key, ends);
    return `${this.address}/?code=${code}`;
  }

  /** The cookie of a new session. Undefined for a code that was used before, is too old, or never was one. */
  async login(code: string): Promise<{ readonly cookie: string; readonly maxAgeSeconds: number } | undefined> {
    const key = digest(code);
    const here = this.#codes.get(key);
    // Taken away before anything is waited for: of two visits at once one gets in.
    this.#codes.delete(key);
    const ends = here ?? (this.#several ? await this.#rows.takeCode(key) : undefined);
    const now = Date.now();
    if (ends === undefined || ends < now) return undefined;
    const cookie = secret();
    await this.#rows.add({ sha256: digest(cookie), created: now, expires: now + SESSION_MS });
    return { cookie, maxAgeSeconds: SESSION_MS / 1000 };
  }

  async find(cookie: string): Promise<PageSession | undefined> {
    const key = digest(cookie);
    const now = Date.now();
    const known = this.#known.get(key);
    const expires = known && known.until > now ? known.expires : (await this.#rows.find(key))?.expires;
    if (expires === undefined || expires < now) return void this.#known.delete(key);
    this.#known.set(key, { expires, until: now + REMEMBER_MS });
    return { csrf: csrfOf(cookie), expires };
  }

  async logout(cookie: string): Promise<void> {
    const login = digest(cookie);
    this.forget(login);
    await this.#rows.remove(login);
    this.#onLogout(login);
  }

  /** Told of each login that ends here, by the digest of its cookie. The returned function stops. */
  onLogout(listener: (login: string) => void): () => void {
    this.#onLogout = listener;
    return () => {
      this.#onLogout = () => {};
    };
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
