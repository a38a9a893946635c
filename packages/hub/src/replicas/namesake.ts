/**
 * Two hubs that call themselves the same, because their machines do and their data directories too, would take each other for
 * an earlier life of themselves, and everything from each other, again and again. The second one does not begin.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { JunctorError } from '@junctor/core';
import type { HubRows, SeenHub } from '../store/hub-rows.ts';

const LOOK_AGAIN_MS = 100;

/** Throws where another life of this name goes on: it says so while we look, or for `patienceMs` at most. */
export async function refuseNamesake(rows: HubRows, id: string, life: string, patienceMs: number): Promise<void> {
  const find = async (): Promise<SeenHub | undefined> => (await rows.all()).find(hub => hub.id === id);
  const first = await find();
  for (let hub = first; hub && hub.life !== life && hub.connected && hub.silentMs < patienceMs; hub = await find()) {
    if (hub.life !== first?.life || hub.seen !== first.seen) throw namesake(hub);
    // The connection of one that was just killed is still there for a moment.
    await sleep(LOOK_AGAIN_MS);
  }
}

function namesake({ url, machine, data_directory }: SeenHub): JunctorError {
  return new JunctorError('hub_running', 'Another hub on this database has the name of this one.', {
    why: `the hub at ${url} has the data directory ${data_directory} on a machine that is called '${machine}' too`,
    hint: 'choose another --data directory, or give one of the machines another name',
  });
}
