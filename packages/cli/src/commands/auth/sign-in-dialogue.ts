/** One sign-in as the person sees it: what is asked, opened, printed and read. */

import { createInterface } from 'node:readline';
import type { SignInOptions } from '@junctor/core';
import { JunctorError, plainText } from '@junctor/core/light';
import type { Context } from '../../context.ts';
import { askYesNo } from '../../output/ask.ts';
import { openBrowser } from '../../output/open-browser.ts';
import { type SignInWay, whyNoBrowser } from './sign-in-way.ts';

type DeviceInfo = Parameters<NonNullable<SignInOptions['device']>['show']>[0];

export class SignInDialogue {
  readonly #context: Context;
  readonly #server: string;
  readonly #way: SignInWay;
  readonly #yes: boolean;

  constructor(context: Context, server: string, way: SignInWay, yes: boolean) {
    this.#context = context;
    this.#server = server;
    this.#way = way;
    this.#yes = yes;
  }

  /** The part of the options of `signIn` that is the person. */
  get person(): Omit<SignInOptions, 'account' | 'scope' | 'callbackPort'> {
    const takesPaste = this.#way === 'paste' || (this.#way === 'browser' && this.#context.interactive);
    return {
      signal: this.#context.signal,
      visit: url => this.#visit(url),
      ...(takesPaste && { pasted: signal => this.#pasted(signal) }),
      ...(this.#way === 'device' && { device: { show: info => this.#show(info) } }),
    };
  }

  async #visit(url: URL): Promise<void> {
    // Asked for with a code, and brought a page: the authorization server has no codes.
    if (this.#way === 'device') throw noDeviceCode(this.#server);
    if (!PAGES.has(url.protocol)) throw notAPage(this.#server, url);
    if (this.#way === 'paste') this.#printAddress(url);
    else await this.#open(url);
  }

  async #open(url: URL): Promise<void> {
    const { talk, surroundings, signal, interactive } = this.#context;
    if (!this.#yes) {
      if (!interactive) throw nobodyToAsk(this.#server);
      const question = `Server '${this.#server}' asks you to sign in at ${url.host}. Open the browser?`;
      if (!(await askYesNo(question, signal))) throw saidNo(this.#server);
    }
    await openBrowser(url, surroundings, why => talk(`warning: the browser could not be opened: ${why}`));
    talk(`Sign in in the browser. If it does not open, go there yourself:\n\n  ${url.href}\n\n`);
    talk(WAITING);
  }

  #printAddress(url: URL): void {
    const { talk, surroundings } = this.#context;
    const why = whyNoBrowser(surroundings);
    talk(`Open this address in a browser, on this machine or another${why ? ` (${why})` : ''}:\n\n  ${url.href}\n\n`);
    talk('On another machine the browser then ends on a page it cannot reach. Copy its address and paste it here.');
    talk(WAITING);
  }

  async #pasted(signal: AbortSignal): Promise<string> {
    const address = await pastedAddress({ signal, complain: this.#context.talk });
    if (address !== undefined) return address;
    // Nobody can paste any more, and without a terminal nobody may ever read the address: better to say so than to wait.
    if (this.#way === 'paste' && !this.#yes) throw nobodyToPaste(this.#server);
    return aborted(signal);
  }

  #show(info: DeviceInfo): void {
    const { talk } = this.#context;
    talk(`Open ${plain(info.verificationUri)} on any device and enter the code ${plain(info.userCode)}`);
    if (info.verificationUriComplete) {
      talk(`or open this address, which holds it:\n\n  ${plain(info.verificationUriComplete)}\n\n`);
    }
    talk(`The code is good for ${Math.round(info.expiresInSeconds / 60)} minutes. ${WAITING}`);
  }
}

/** A stranger's words go to a terminal: without anything that could steer it. */
function plain(text: string): string {
  return plainText(text, { maxChars: 1000 });
}

/** The browser may still come back by itself. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}

/** What a browser opens. Other addresses start other programs, and a stranger chose this one. */
const PAGES = new Set(['https:', 'http:']);

const WAITING = 'waiting for the sign-in … Ctrl-C to give up';

function noDeviceCode(server: string): JunctorError {
  return new JunctorError('sign_in_failed', `Server '${server}' cannot be signed in to with a code.`, {
    server,
    why: 'its authorization server names no device_authorization_endpoint',
    hint: `junctor mcp login ${server} --no-browser   prints an address that any browser can open`,
  });
}

function notAPage(server: string, url: URL): JunctorError {
  return new JunctorError('sign_in_failed', `Server '${server}' sends you to sign in where no browser can go.`, {
    server,
    why: `its authorization server names an address that begins with ${url.protocol}`,
    hint: 'report it to whoever runs that server; nothing was opened',
  });
}

function saidNo(server: string): JunctorError {
  return new JunctorError('auth_required', `You did not sign in to server '${server}'; nothing was opened.`, {
    server,
    why: 'you said no',
    hint: `junctor mcp login ${server} --no-browser   prints the address in place of opening it`,
  });
}

function nobodyToAsk(server: string): JunctorError {
  return new JunctorError('auth_required', `Signing in to server '${server}' needs a person.`, {
    server,
    why: 'the browser opens only after a yes, and no terminal is there to ask on',
    hint: `junctor mcp login ${server} --yes   opens it without asking; --no-browser prints the address in place of it`,
  });
}

function nobodyToPaste(server: string): JunctorError {
  return new JunctorError('auth_required', `Signing in to server '${server}' needs a person.`, {
    server,
    why: 'no browser was opened, and stdin ended before an address was pasted',
    hint: `run junctor mcp login ${server} at a terminal, or with --yes to wait for a browser of this machine`,
  });
}

/** Reads the address that a browser was sent back to, from whoever pastes it. */
interface PasteOptions {
  /** Ends the reading, and gives stdin back. */
  readonly signal: AbortSignal;
  /** Says that what was pasted is no such address; at a terminal it may be pasted again. */
  readonly complain: (line: string) => void;
}

/** Undefined when stdin ends and nothing was pasted. */
function pastedAddress({ signal, complain }: PasteOptions): Promise<string | undefined> {
  const atTerminal = process.stdin.isTTY === true;
  // Line by line as the terminal itself would do it cuts long lines off: at 1024 bytes on macOS.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: atTerminal, historySize: 0 });
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const onAbort = (): void => reject(signal.reason);
  lines.on('line', line => {
    const address = line.trim();
    if (address === '') return;
    if (isAnswer(address)) resolve(address);
    else if (atTerminal)
      complain('That is not the address your browser ended on: it holds code= or error=. Paste all of it:');
    else reject(notAnAnswer());
  });
  // With the terminal in our hands Ctrl-C is a key like any other.
  lines.on('SIGINT', () => reject(new JunctorError('cancelled', 'Interrupted.')));
  lines.on('close', () => resolve(undefined));
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  return promise.finally(() => {
    signal.removeEventListener('abort', onAbort);
    lines.close();
    // Else the command would not end before whoever holds the other end of the pipe.
    process.stdin.unref?.();
  });
}

function isAnswer(text: string): boolean {
  const query = URL.parse(text)?.searchParams;
  return query?.has('code') === true || query?.has('error') === true;
}

function notAnAnswer(): JunctorError {
  return new JunctorError('usage', 'What came on stdin is not the address of a sign-in.', {
    why: 'it holds neither code= nor error=',
    hint: 'copy the whole address your browser shows after the sign-in, and give that line on stdin',
  });
}
