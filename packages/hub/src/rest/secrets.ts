/** Literal secrets of what is posted: the value goes to the secret store, a reference takes its place. */
import { hash } from 'node:crypto';
import type { McpServerDef } from '@junctor/core';
import {
  type FoundSecret,
  hideSecrets,
  type KeptSecrets,
  openSecrets,
  parseTemplate,
} from '@junctor/core/config-write';
import { ownSurroundings } from '@junctor/core/light';
import type { Rooms } from './rooms.ts';

export interface HiddenDefinitions {
  readonly definitions: Readonly<Record<string, McpServerDef>>;
  readonly secrets: readonly FoundSecret[];
}

/** `place` keeps apart servers of the same id: each place has secrets of its own. */
export function hideAll(place: string, definitions: Readonly<Record<string, McpServerDef>>): HiddenDefinitions {
  const hidden = Object.entries(definitions).map(
    ([id, definition]) => [id, hideSecrets(place, id, definition)] as const,
  );
  return {
    definitions: Object.fromEntries(hidden.map(([id, { definition }]) => [id, definition])),
    secrets: hidden.flatMap(([, { secrets }]) => secrets),
  };
}

/** Whether a secret was stored for what is kept at this place. */
export function isKeptFor(place: string, name: string): boolean {
  return name.endsWith(`.${hash('sha256', place, 'hex').slice(0, 6)}`);
}

export function secretStore({ hostOptions, dataDirectory }: Rooms): Promise<KeptSecrets> {
  return openSecrets({ surroundings: hostOptions.surroundings ?? ownSurroundings(), dataDirectory });
}

export async function keepSecrets(
  rooms: Rooms,
  { secrets, unused = [] }: { readonly secrets: readonly FoundSecret[]; readonly unused?: readonly string[] },
): Promise<void> {
  if (secrets.length + unused.length === 0) return;
  const kept = rooms.secretRows ?? (await secretStore(rooms));
  for (const { name, value } of secrets) {
    rooms.hostOptions.redactor?.learn(value);
    await kept.set(name, value);
  }
  for (const name of unused) await kept.remove(name);
}

/** Wherever it is; false where there was none. */
export async function removeSecret(rooms: Rooms, name: string): Promise<boolean> {
  const inCommon = (await rooms.secretRows?.remove(name)) ?? false;
  return (await (await secretStore(rooms)).remove(name)) || inCommon;
}

/** The names of all secrets that a value refers to. */
export function secretsNamedIn(value: unknown): Set<string> {
  if (typeof value === 'string')
    return new Set(parseTemplate(value).flatMap(part => (part.kind === 'secret' ? [part.name] : [])));
  if (typeof value !== 'object' || value === null) return new Set();
  return new Set(Object.values(value).flatMap(inner => [...secretsNamedIn(inner)]));
}
