/** What all hubs on the database know, where there are several: each writes down what it has, and tells what runs there. */
import type { SilentPeer } from '../replicas/peers.ts';
import type { Rooms } from './rooms.ts';
import type { RunningEntry } from './routes/calls.ts';
import { iso } from './shapes/query.ts';

export interface Gathered {
  readonly running: readonly RunningEntry[];
  /** Hubs that did not answer; nothing where all did. */
  readonly missing: Missing;
}

export interface Missing {
  silent_hubs?: SilentPeer[];
}

/** What ended a moment ago is in the database then, at whichever hub it was. */
export async function gather({ records, peers }: Rooms, only: 'here' | undefined): Promise<Gathered> {
  const others = only === 'here' ? undefined : peers.ask<{ running: RunningEntry[] }>('/api/calls?limit=1');
  await records.flush();
  const { answers = [], silent = [] } = (await others) ?? {};
  const whose = hubMark(peers.here);
  const here = records.calls.running().map(({ started, agent, person, surface, project, ...call }) => ({
    ...call,
    agent: agent || null,
    project: project || null,
    person: person || null,
    surface: surface || null,
    started: iso(started),
    ...whose,
  }));
  return { running: [...here, ...answers.flatMap(({ body }) => body.running)], missing: named(silent) };
}

export function named(silent: readonly SilentPeer[]): Missing {
  return silent.length === 0 ? {} : { silent_hubs: [...silent] };
}

/** Which of several hubs is meant. */
export function hubMark(hub: string | undefined): { hub?: string } {
  return hub === undefined ? {} : { hub };
}
