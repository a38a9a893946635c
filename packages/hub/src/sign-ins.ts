/** Sign-ins that people began at the hub: one at a time for each server of a project. The hub waits for the browser, no request does. */
import { type Host, JunctorError, type SignedIn, signIn } from '@junctor/core';
import { connectAgain } from './agents/connect-again.ts';

/** Whoever has not signed in by then has closed the page. */
const GIVEN_UP_AFTER_MS = 10 * 60_000;

interface Attempt {
  readonly giveUp: AbortController;
  readonly done: Promise<SignedIn>;
}

export class SignIns {
  readonly #attempts = new Map<string, Attempt>();

  /** The page a person has to visit; undefined where none is needed. One that is under way for this server is given up. */
  async begin(host: Host, server: string, project: string | undefined): Promise<string | undefined> {
    const key = keyOf(server, project);
    this.#attempts.get(key)?.giveUp.abort('another one was begun');
    const address = Promise.withResolvers<string | undefined>();
    const giveUp = new AbortController();
    const done = this.#run(host, server, giveUp, url => address.resolve(expectPage(server, url).href));
    this.#attempts.set(key, { giveUp, done });
    done.then(() => address.resolve(undefined), address.reject);
    return address.promise;
  }

  /** Settles when the sign-in that was begun last is over; undefined: none was begun. */
  outcome(server: string, project: string | undefined): Promise<SignedIn> | undefined {
    return this.#attempts.get(keyOf(server, project))?.done;
  }

  async #run(host: Host, server: string, giveUp: AbortController, visit: (url: URL) => void): Promise<SignedIn> {
    const timer = setTimeout(() => giveUp.abort('nobody finished it within 10 minutes'), GIVEN_UP_AFTER_MS);
    timer.unref();
    try {
      const signedIn = await signIn(host, server, { visit, signal: giveUp.signal });
      // Whether it works now is told by the state of the server, like every other trouble it may have.
      await connectAgain(host, server).catch(() => {});
      return signedIn;
    } catch (error) {
      if (!giveUp.signal.aborted) throw error;
      throw new JunctorError('sign_in_failed', `The sign-in to server '${server}' was given up.`, {
        server,
        why: String(giveUp.signal.reason),
        hint: 'begin it again',
        cause: error,
      });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Servers of two projects may have one id. */
function keyOf(server: string, project = ''): string {
  return `${project} ${server}`;
}

/** What a browser opens. Other addresses start other programs, and a stranger chose this one. */
function expectPage(server: string, url: URL): URL {
  if (url.protocol === 'https:' || url.protocol === 'http:') return url;
  throw new JunctorError('sign_in_failed', `Server '${server}' sends you to sign in where no browser can go.`, {
    server,
    why: `its authorization server names an address that begins with ${url.protocol}`,
    hint: 'report it to whoever runs that server; nothing was opened',
  });
}
