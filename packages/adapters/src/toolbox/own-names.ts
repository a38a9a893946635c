/**
 * Names of MCP tools beside the program's own. The program's keep theirs: it knows them. An MCP tool that is called alike
 * gets a hash of its identity behind its name: the same one in every run, whatever else is connected.
 */
import { createHash } from 'node:crypto';
import type { Entry } from '@junctor/core';
import { JunctorError } from '@junctor/core/light';

type Named = Pick<Entry, 'name' | 'server' | 'tool'>;

/** What every provider of today reads. */
const MAX_NAME_LENGTH = 63;

/** The name of each entry, in the same order. */
export function namesBeside(
  entries: readonly Named[],
  taken: ReadonlySet<string>,
  collisions: 'rename' | 'refuse',
): string[] {
  const used = new Set([...taken, ...entries.map(({ name }) => name)]);
  return entries.map(entry => {
    const { name, server, tool } = entry;
    if (!taken.has(name)) return name;
    if (collisions === 'refuse') throw nameTaken(entry);
    const free = withHash(name, `${server}\0${tool}`, used);
    used.add(free);
    return free;
  });
}

/** An id as a provider can read it; with a hash of it where that is another one. */
export function readableName(id: string): string {
  const readable = id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_NAME_LENGTH);
  return readable === id ? id : withHash(readable, id, new Set());
}

const HASH_LENGTHS = [8, 16, 32];

function withHash(name: string, identity: string, used: ReadonlySet<string>): string {
  const hash = createHash('sha256').update(identity).digest('hex');
  const candidates = HASH_LENGTHS.map(
    length => `${name.slice(0, MAX_NAME_LENGTH - length - 1)}_${hash.slice(0, length)}`,
  );
  return candidates.find(candidate => !used.has(candidate)) ?? hash;
}

function nameTaken({ name, server, tool }: Named): JunctorError {
  return new JunctorError('name_taken', `Two tools would be called '${name}'.`, {
    server,
    why: `one is a native tool, the other is '${tool}' of server '${server}'`,
    hint: "call the native tool otherwise, or let the other be renamed with collisions: 'rename'",
  });
}
