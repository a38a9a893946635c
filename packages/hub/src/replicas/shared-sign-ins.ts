/** The sign-ins of several hubs are one: made at one of them they count at all. */
import type { Host, HostOptions, TokenShelf } from '@junctor/core';
import { openSecretKeys } from '@junctor/core/config-write';
import { TokenFile } from '@junctor/core/internal';
import { Log, ownSurroundings } from '@junctor/core/light';
import { connectAgain } from '../agents/connect-again.ts';
import { Seal } from '../store/seal.ts';
import { SignInRows } from '../store/sign-in-rows.ts';
import type { Locks, Store } from '../store/store.ts';
import { takingOver } from './file-sign-ins.ts';
import { inWords } from './in-words.ts';
import type { Notices } from './notices.ts';

export interface SharedSignInsOptions {
  readonly store: Store;
  readonly locks: Locks;
  readonly notices: Notices;
  readonly hostOptions: HostOptions;
  readonly dataDirectory: string;
  readonly onProblem: (sentence: string) => void;
}

export class SharedSignIns {
  /** Where every host of this hub has its sign-ins. */
  readonly shelf: TokenShelf;
  readonly #hosts = new Set<Host>();
  readonly #onProblem: (sentence: string) => void;
  readonly #told = new Set<string>();
  readonly #stopHearing: () => void;
  #closed = false;
  /** One piece of news after the other: a server is woken once. */
  #heard: Promise<void> = Promise.resolve();

  private constructor(rows: SignInRows, { notices, dataDirectory, onProblem }: SharedSignInsOptions) {
    this.#onProblem = onProblem;
    this.shelf = takingOver(new TokenFile(dataDirectory), rows, error => this.#tell(error));
    this.#stopHearing = notices.on('sign-ins', () => this.#hear());
  }

  static async open(options: SharedSignInsOptions): Promise<SharedSignIns> {
    const { store, locks, hostOptions } = options;
    const surroundings = hostOptions.surroundings ?? ownSurroundings();
    const log = Log.of(hostOptions.log, hostOptions.redactor);
    const rows = new SignInRows(store, locks, new Seal(await openSecretKeys({ surroundings, log })));
    const signIns = new SharedSignIns(rows, options);
    // Nothing but servers that want a sign-in depends on it: a hub that cannot open them goes on, and says so.
    await rows.renewSeals().catch(error => signIns.#tell(error));
    return signIns;
  }

  follow(host: Host): void {
    this.#hosts.add(host);
  }

  forget(host: Host): void {
    this.#hosts.delete(host);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopHearing();
    await this.#heard;
  }

  #hear(): void {
    this.#heard = this.#heard.then(async () => {
      if (this.#closed) return;
      await Promise.all([...this.#hosts].map(takeUp)).catch(error => this.#tell(error));
    });
  }

  /** Once: it would be said again with every change at another hub. */
  #tell(error: unknown): void {
    const sentence = inWords(error);
    if (!this.#told.has(sentence)) this.#onProblem(sentence);
    this.#told.add(sentence);
  }
}

/** Servers that waited for a sign-in are woken; what was opened with a token that is no longer there is ended. */
async function takeUp(host: Host): Promise<void> {
  for (const [server, what] of await host.wallet.reread()) {
    if (!host.links.ids.includes(server)) continue;
    if (what === 'gone') await host.links.close(server);
    // Whether it works now is told by the state of the server, like every other trouble it may have.
    else if (host.links.state(server).kind === 'auth_required') await connectAgain(host, server).catch(() => {});
  }
}
