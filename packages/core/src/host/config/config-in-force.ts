/** The config a host runs with now, and what follows from it: what may run, the gate, and the servers of each agent. */
import { JunctorError } from '../../base/error.ts';
import { newProblems } from '../../config/diff.ts';
import type { McpConfigLoadResult } from '../../config/load.ts';
import { describeProblem } from '../../config/problem.ts';
import { gateFor } from '../../permissions/gate-for.ts';
import type { Gate } from '../../permissions/verdict.ts';
import { type Resolution, resolve } from '../../resolve/resolve.ts';
import type { Prepared } from './prepare.ts';

export class ConfigInForce {
  readonly #prepareAgain: () => Promise<Prepared>;
  #prepared: Prepared;
  /** Plain fields, since every call reads them. */
  gate: Gate;
  lock: Prepared['lock'];
  /** The servers each agent gets, worked out once for each config. */
  #allowed = new Map<string, ReadonlySet<string>>();

  constructor(prepared: Prepared, prepareAgain: () => Promise<Prepared>) {
    this.#prepareAgain = prepareAgain;
    this.#prepared = prepared;
    this.gate = gateFor(prepared.loaded, prepared.resolution);
    this.lock = prepared.lock;
  }

  get loaded(): McpConfigLoadResult {
    return this.#prepared.loaded;
  }

  get resolution(): Resolution {
    return this.#prepared.resolution;
  }

  get unapproved(): readonly string[] {
    return this.#prepared.unapproved;
  }

  get waiting(): Prepared['waiting'] {
    return this.#prepared.waiting;
  }

  /** Whether this agent gets this server. */
  serves(agent: string, server: string): boolean {
    let allowed = this.#allowed.get(agent);
    if (!allowed) {
      allowed = new Set(resolve({ config: this.loaded, agent }).servers.keys());
      this.#allowed.set(agent, allowed);
    }
    return allowed.has(server);
  }

  /** The config as it is written now. One with problems that the present one has not is refused: the error names them. */
  async readAgain(): Promise<Prepared> {
    const next = await this.#prepareAgain();
    const fresh = newProblems(this.loaded, next.loaded);
    if (fresh.length === 0) return next;
    throw new JunctorError('config_invalid', 'The changed config has problems; the last good one stays in use.', {
      why: fresh.map(describeProblem).join('\n'),
      hint: 'mend what is named and save again',
    });
  }

  take(next: Prepared): void {
    this.#prepared = next;
    this.#allowed = new Map();
    this.gate = gateFor(next.loaded, next.resolution);
    this.lock = next.lock;
  }
}
