/**
 * The grants of one host: those for a session in memory, those for always where the host keeps them. That is `grants.json`
 * of the data directory, unless the program brings a place of its own; other processes read and write there too.
 */
import type { Log } from '../../base/log/log.ts';
import type { LoadedServer } from '../../config/layers.ts';
import { placedFingerprint } from '../../config/trust/trust.ts';
import type { ScopedAnswer } from '../answer.ts';
import type { GrantLookup } from '../authorize.ts';
import type { Caller } from '../caller.ts';
import {
  type AskedCall,
  type Grant,
  type GrantedServer,
  makeGrant,
  mayBeGranted,
  type Standing,
  standingOf,
  withGrant,
} from './grant.ts';
import type { GrantShelf } from './grants-file.ts';

export interface GrantsOptions {
  readonly file: GrantShelf;
  readonly log: Log;
  /** The server as it is written. */
  readonly serverOf: (id: string) => LoadedServer | undefined;
  /** The session of calls that name none. */
  readonly session: string | undefined;
}

type Asked = Omit<AskedCall, 'from' | 'agent'>;

/** What a person allowed for longer than one call. */
export class Grants implements GrantLookup {
  readonly #options: GrantsOptions;
  readonly #bySession = new Map<string, readonly Grant[]>();

  constructor(options: GrantsOptions) {
    this.#options = options;
  }

  /** What was granted for always, and for this session. */
  async list(session?: string): Promise<readonly Grant[]> {
    return [...(await this.#options.file.read()), ...this.#ofSession(session)];
  }

  /** Takes grants back: one by its id, or all of a server, or of one of its tools. Says how many there were. */
  async revoke(which: string | { readonly server: string; readonly tool?: string | undefined }): Promise<number> {
    const meant = (grant: Grant): boolean =>
      typeof which === 'string'
        ? grant.id === which
        : grant.server === which.server && (which.tool === undefined || grant.tool === which.tool);
    let revoked = 0;
    const without = (grants: readonly Grant[]): readonly Grant[] => {
      const kept = grants.filter(grant => !meant(grant));
      revoked += grants.length - kept.length;
      return kept;
    };
    for (const [session, grants] of this.#bySession) this.#bySession.set(session, without(grants));
    await this.#options.file.change(without);
    return revoked;
  }

  /** Whether it is about a server of this host, as that is defined now. */
  concerns({ server, server_fingerprint }: Grant): boolean {
    return this.#from(server).fingerprint === server_fingerprint;
  }

  /** What was granted for a session ends with it. */
  endSession(session?: string): void {
    this.#bySession.delete(this.#key(session));
  }

  /** Whether anything was granted for this tool at all. */
  async mentions(call: Pick<Asked, 'server' | 'tool'>, { agent, session }: Caller): Promise<boolean> {
    return mayBeGranted({ ...call, agent }, await this.#known(session));
  }

  /** What was granted for such a call, and whether it still holds. */
  async standing(call: Asked, { agent, session }: Caller): Promise<Standing> {
    return standingOf({ ...call, agent, from: this.#from(call.server) }, await this.#known(session));
  }

  /** Keeps an approval for the session or for always. */
  async keep(call: Asked, answer: ScopedAnswer, { agent, session }: Caller): Promise<void> {
    const { definition } = call;
    if (answer.scope !== 'session' && answer.scope !== 'always') return;
    if (!definition) {
      // Bound to nothing, it would hold for whatever the tool becomes.
      this.#options.log.warn('the approval holds for this call only: the server does not list the tool', {
        server: call.server,
        tool: call.tool,
      });
      return;
    }
    const stamp = { id: crypto.randomUUID(), granted_at: new Date().toISOString() };
    const asked = { ...call, agent, definition, from: this.#from(call.server) };
    const grant = makeGrant(asked, { ...answer, scope: answer.scope }, stamp);
    if (grant.scope === 'always') await this.#options.file.change(grants => withGrant(grants, grant));
    else this.#bySession.set(this.#key(session), withGrant(this.#ofSession(session), grant));
  }

  /** A file that cannot be read grants nothing: the person is asked. */
  async #known(session: string | undefined): Promise<readonly Grant[]> {
    const kept = await this.#options.file.read().catch(error => {
      this.#options.log.warn('what was allowed for always cannot be read', { error });
      return [];
    });
    return [...kept, ...this.#ofSession(session)];
  }

  #ofSession(session: string | undefined): readonly Grant[] {
    return this.#bySession.get(this.#key(session)) ?? [];
  }

  #key(session: string | undefined): string {
    return session ?? this.#options.session ?? '';
  }

  #from(id: string): GrantedServer {
    const server = this.#options.serverOf(id);
    if (!server) return { fingerprint: '', file: null };
    return { fingerprint: placedFingerprint(server), file: server.file ?? null };
  }
}
