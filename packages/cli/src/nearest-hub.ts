/** Which data directory a command means that names none: that of the nearest hub upward, as `npm start` leaves one in its folder. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Surroundings, upwards } from '@junctor/core/light';
import type { CommandRow } from './command.ts';
import type { Parsed } from './parse.ts';

/** Where a hub keeps its data that belongs to one folder. */
const IN_FOLDER = '.junctor';

/** The same with the data directory of that hub; as it is where another one is named, or none runs. */
export async function meantHub(
  parsed: Parsed,
  { words }: CommandRow,
  surroundings: () => Surroundings,
): Promise<Parsed> {
  const { global } = parsed;
  // The command that starts a hub means no other one.
  if (global.data !== undefined || words.join(' ') === 'hub') return parsed;
  const { env, cwd } = surroundings();
  const data = env.JUNCTOR_DATA ? undefined : await nearestHub(cwd);
  return data === undefined ? parsed : { ...parsed, global: { ...global, data } };
}

async function nearestHub(cwd: string): Promise<string | undefined> {
  for (const folder of upwards(cwd)) {
    const data = join(folder, IN_FOLDER);
    if (!existsSync(join(data, 'hub.json'))) continue;
    const { findHubBeside } = await import('@junctor/hub/errand');
    if (await findHubBeside(data)) return data;
  }
  return undefined;
}
