/** Commands as a hub tells them: they are typed in any folder, and mean this hub and its config. */
import { resolve } from 'node:path';
import { dataDirectory } from '@junctor/core/light';
import type { Context } from '../context.ts';
import type { TypedCommands } from '../output/typed-commands.ts';

export function hubCommands({ surroundings, global, commands }: Context, data: string): TypedCommands {
  const { config, dialect, isolated } = global;
  const usual = dataDirectory({ ...surroundings, env: { ...surroundings.env, JUNCTOR_DATA: undefined } }, undefined);
  return commands.anywhere({
    data: data === usual ? undefined : data,
    config: config === undefined ? undefined : resolve(surroundings.cwd, config),
    dialect,
    isolated,
  });
}
