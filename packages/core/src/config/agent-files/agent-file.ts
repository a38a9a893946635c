/** Which file of an agent is written: its own on this machine, or where this machine sees it. */

import { existsSync } from 'node:fs';
import { JunctorError } from '../../base/error.ts';
import { agentHint } from '../agent-hint.ts';
import { agentId } from '../agent-id.ts';
import { DIALECT_NAMES, type Dialect, isDialectName } from '../dialects/dialect.ts';
import { dialectNamed } from '../dialects/registry.ts';
import type { Surroundings } from '../sources/places.ts';

/** An agent whose file Junctor can write. */
export function agentDialect(agent: string): Dialect {
  const name = agentId(agent);
  if (!isDialectName(name)) {
    throw new JunctorError('usage', `There is no agent '${agent}'.`, { hint: agentHint(agent, DIALECT_NAMES) });
  }
  const dialect = dialectNamed(name);
  if (!dialect.write)
    throw new JunctorError('usage', `Junctor reads files of ${dialect.title}, but does not write them.`, {
      hint: `junctor mcp import ${name} takes its servers over`,
    });
  return dialect;
}

/** The first of its places where there is a file already, else the first of all. */
export function agentFile(dialect: Dialect, from: Surroundings): string {
  const places = (dialect.files?.(from) ?? []).filter(({ scope }) => scope === 'user').map(({ path }) => path);
  const file = places.find(path => existsSync(path)) ?? places[0];
  if (file !== undefined) return file;
  throw new JunctorError('usage', `'${dialect.name}' has no file of its own.`, { hint: 'give one with --out FILE' });
}
