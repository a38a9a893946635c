/** Kilo: opencode's entries in `kilo.json[c]`, `.kilo/kilo.json[c]` or the project's `opencode.json`. */

import { join, resolve } from 'node:path';
import { isObject } from '../../base/json/is-object.ts';
import type { Surroundings } from '../sources/places.ts';
import type { AgentFile, Dialect } from './dialect.ts';
import { bothEndings, inScope, isKiloFile, readLocalAndRemote, writeLocalOrRemote } from './opencode.ts';

export const kilo: Dialect = {
  name: 'kilo',
  title: 'Kilo',
  format: 'json',
  recognise: (file, value) => isObject(value) && isKiloFile(file),
  read: value => readLocalAndRemote(value, [['mcp']], 'Kilo'),
  write: (value, changes) => writeLocalOrRemote(value, ['mcp'], changes),
  files: kiloFiles,
};

function kiloFiles({ home, cwd, env }: Surroundings): AgentFile[] {
  const user = bothEndings(join(env.XDG_CONFIG_HOME || join(home, '.config'), 'kilo'), 'kilo');
  if (env.KILO_CONFIG) user.unshift(resolve(cwd, env.KILO_CONFIG));
  const project = [...bothEndings(cwd, 'kilo'), ...bothEndings(join(cwd, '.kilo'), 'kilo'), join(cwd, 'opencode.json')];
  return [...inScope('user', user), ...inScope('project', project)];
}
