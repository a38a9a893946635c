/** The path below which something that stands before the hub serves it, as `/tools/junctor`. */
import type { IncomingMessage } from 'node:http';

export class Prefix {
  /** To be put before a path of ours that a client is told: with it the client comes back by any way it came. */
  readonly path: string;

  /** Without a public address, or with one that has no path, it is empty. */
  constructor(publicUrl: string | undefined) {
    this.path = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
  }

  /** Some proxies pass the prefix on, some take it away: from here on all requests look alike. */
  takeFrom(request: IncomingMessage): void {
    if (this.path !== '' && request.url?.startsWith(`${this.path}/`)) request.url = request.url.slice(this.path.length);
  }

  /** Whether the page is asked for without the slash that its own addresses need. */
  isBare(path: string): boolean {
    return this.path !== '' && path === this.path;
  }

  /** The same address with that slash; what else it says, such as the code of a login, stays. */
  whole(url: string): string {
    return `${this.path}/${url.slice(this.path.length)}`;
  }
}
