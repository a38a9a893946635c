/** What the tests of commands on configs begin with. */
import { type Home, junctor } from '@junctor/testkit';

export const server = (command: string) => ({ transport: 'stdio', command });

export const json = async (home: Home, ...words: string[]) =>
  JSON.parse((await junctor(home, [...words, '--json'])).stdout);

export const USER = 'config/junctor/config.json';
