/** One life of a server as people see it. */
import type { Session } from '../visit/session.ts';
import type { Upstream } from './upstream.ts';

export interface InstanceReport {
  readonly server: string;
  readonly mode: 'shared' | 'per_session';
  readonly state: string;
  readonly era: 'legacy' | 'modern' | undefined;
  /** How many requests run there now. */
  readonly calls: number;
  readonly life: number;
  /** Of the process that we started for it. */
  readonly pid: number | undefined;
  /** When it was used last. */
  readonly used: Date;
  readonly sessions: readonly {
    readonly id: string;
    readonly door: string;
    readonly client: string;
    readonly since: Date;
  }[];
}

export function reportOf(upstream: Upstream, users: readonly Session[]): InstanceReport {
  return {
    server: upstream.server.id,
    mode: upstream.server.mode,
    state: upstream.instance.state.kind,
    era: upstream.live?.greeting.era,
    calls: upstream.crowd.size,
    life: upstream.life,
    pid: upstream.live?.conversation.program.pid,
    used: new Date(Date.now() - (performance.now() - upstream.usedAt)),
    sessions: users.map(({ id, door, client, since }) => ({ id, door, client: client.name, since })),
  };
}
