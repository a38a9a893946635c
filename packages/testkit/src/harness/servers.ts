import { join } from 'node:path';
import { JUNCTOR, npmServer, ROOT } from './root.ts';

/** A stdio server definition, ready for a config. */
export interface StdioDefinition {
  readonly transport: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly trust?: 'trusted';
}

/** The public test server. */
export function testServer(...args: string[]): StdioDefinition {
  return stdio(JUNCTOR, 'test-server', '--stdio', ...args);
}

/** A server that does what a server should not; `kind` is a file of the misbehaving folder. */
export function misbehaving(kind: string, ...args: string[]): StdioDefinition {
  return stdio(join(ROOT, 'packages', 'testkit', 'src', 'misbehaving', `${kind}.ts`), ...args);
}

export function everything(): StdioDefinition {
  return stdio(npmServer('everything'), 'stdio');
}

export function filesystem(directory: string): StdioDefinition {
  return stdio(npmServer('filesystem'), directory);
}

export function trusted<Definition extends object>(definition: Definition): Definition & { trust: 'trusted' } {
  return { ...definition, trust: 'trusted' };
}

function stdio(file: string, ...args: string[]): StdioDefinition {
  return { transport: 'stdio', command: process.execPath, args: [file, ...args] };
}
