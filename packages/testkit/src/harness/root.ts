import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The workspace these tests belong to. */
export const ROOT: string = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..');

export const JUNCTOR: string = join(ROOT, 'packages', 'cli', 'bin', 'junctor.js');

/** A program of the testkit as it is built: it starts in half the time that its source takes. */
export function testkitProgram(...path: readonly string[]): string {
  return join(ROOT, 'packages', 'testkit', 'dist', ...path);
}

/** The main file of a server that is installed as a development dependency. */
export function npmServer(name: 'everything' | 'filesystem' | 'memory'): string {
  return join(ROOT, 'node_modules', '@modelcontextprotocol', `server-${name}`, 'dist', 'index.js');
}
