/** Gives servers of another program's file ids of ours, for a copy: names there may hold what an id cannot. Pure. */
import type { DialectReading } from '../dialects/dialect.ts';
import type { ReadOptions } from './read.ts';

interface Renaming {
  readonly reading: DialectReading;
  /** From the id that a server has now to what the file calls it. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** Two names that come down to one id are still two servers. */
export function withOwnIds(reading: DialectReading, idFor: ReadOptions['idFor']): Renaming {
  if (!idFor) return { reading, renamed: new Map() };
  const written = new Set(reading.servers.map(({ id }) => id));
  const renamed = new Map<string, string>();
  const ids = new Map<string, string>();
  for (const name of written) {
    const id = idFor(name);
    if (id === name) continue;
    const free = freeId(id, candidate => written.has(candidate) || renamed.has(candidate));
    renamed.set(free, name);
    ids.set(name, free);
  }
  const idOf = (name: string): string => ids.get(name) ?? name;
  return {
    renamed,
    reading: {
      ...reading,
      servers: reading.servers.map(server => ({ ...server, id: idOf(server.id) })),
      problems: reading.problems.map(one => (one.server === undefined ? one : { ...one, server: idOf(one.server) })),
    },
  };
}

function freeId(id: string, isTaken: (id: string) => boolean): string {
  if (!isTaken(id)) return id;
  for (let number = 2; ; number++) {
    const numbered = `${id.slice(0, 60)}-${number}`;
    if (!isTaken(numbered)) return numbered;
  }
}
