/** The path below which something that stands before the hub serves it, as `/tools/junctor`. */
import type { IncomingMessage } from 'node:http';

export class Prefix {
  readonly #path: string;
  readonly #host: string | undefined;

  /** Without a public address, or with one that has no path, it is empty. */
  constructor(publicUrl: string | undefined) {
    const address = publicUrl === undefined ? undefined : new URL(publicUrl);
    this.#path = address?.pathname.replace(/\/+$/, '') ?? '';
    this.#host = address?.host;
  }

  /** Some proxies pass the prefix on, some take it away: from here on all requests look alike. */
  takeFrom(request: IncomingMessage): void {
    if (this.#path !== '' && request.url?.startsWith(`${this.#path}/`))
      request.url = request.url.slice(this.#path.length);
  }

  /** Whether the page is asked for without the slash that its own addresses need. */
  isBare(path: string): boolean {
    return this.#path !== '' && path === this.#path;
  }

  get root(): string {
    return `${this.#path}/`;
  }

  /** What a client that came by the public name has to put before a path of ours. */
  for({ headers: { host } }: IncomingMessage): string {
    return host?.toLowerCase() === this.#host ? this.#path : '';
  }
}
