/** How much memory families of processes take, by the leader of each. Only Linux tells without a program. */
import { readdir, readFile } from 'node:fs/promises';

export interface FamilySize {
  readonly processes: number;
  readonly bytes: number;
}

/** A page that is open asks again with every event; nobody sees a difference within this time. */
const GOOD_FOR_MS = 2000;

export class ProcessSizes {
  #read: { readonly at: number; readonly sizes: Promise<ReadonlyMap<number, FamilySize>> } | undefined;

  /** Of every family on this machine; empty where the system does not tell. */
  now(): Promise<ReadonlyMap<number, FamilySize>> {
    const at = performance.now();
    if (!this.#read || at - this.#read.at > GOOD_FOR_MS) this.#read = { at, sizes: familySizes() };
    return this.#read.sizes;
  }
}

async function familySizes(): Promise<ReadonlyMap<number, FamilySize>> {
  const entries = process.platform === 'linux' ? await readdir('/proc').catch(() => []) : [];
  const found = await Promise.all(entries.filter(entry => /^\d+$/.test(entry)).map(sizeOf));
  const sizes = new Map<number, FamilySize>();
  for (const one of found) {
    if (!one) continue;
    const { processes, bytes } = sizes.get(one.family) ?? { processes: 0, bytes: 0 };
    sizes.set(one.family, { processes: processes + 1, bytes: bytes + one.bytes });
  }
  return sizes;
}

/** A server is started as the leader of a group, whose number is its own. */
async function sizeOf(pid: string): Promise<{ family: number; bytes: number } | undefined> {
  const status = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The name in brackets may itself hold spaces and brackets: fields are counted from the last one.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  const memory = /^VmRSS:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, 'latin1').catch(() => ''));
  if (!memory) return undefined;
  return { family: Number(fields[2]), bytes: Number(memory[1]) * 1024 };
}
