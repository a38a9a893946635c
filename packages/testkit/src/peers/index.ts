/** Servers of other makers and other times, for what has to work with them. */
import { join } from 'node:path';
import { ROOT, testkitProgram } from '../harness/root.ts';

export { type RpcBody, type SdkHttpServer, serveSdkHttp } from './sdk-server.ts';

interface Program {
  readonly transport: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly trust: 'trusted';
}

/** The SDK's own server on stdio, speaking both eras. */
export function sdkStdio(): Program {
  return program(testkitProgram('peers', 'sdk-stdio.js'));
}

export function oldServer(manner: 'answers' | 'silent' | 'dies', diary: string): Program {
  return program(testkitProgram('peers', 'old-server.js'), manner, diary);
}

/** Has 300 tools on as many pages, and says all of a call in one write. */
export function oneChunkServer(): Program {
  return program(testkitProgram('peers', 'one-chunk.js'));
}

/** Dies in the first call it gets; `diary` holds the names of the tools that were called. */
export function fragileServer(diary: string): Program {
  return program(testkitProgram('peers', 'fragile-server.js'), diary);
}

/** Releases of server-everything with the SDK of their time, by the protocol version they speak. */
export const OLD_EVERYTHING = {
  '2025-06-18': ['everything-2025-07', 'stdio'],
  '2025-03-26': ['everything-2025-05', 'stdio'],
  '2024-11-05': ['everything-2024-11'],
} as const;

export function oldEverything(version: keyof typeof OLD_EVERYTHING): Program {
  const [name, ...args] = OLD_EVERYTHING[version];
  return program(everythingFile(name, 'index.js'), ...args);
}

/** A file of an older release of server-everything. */
export function everythingFile(release: string, file: string): string {
  const modules = join(ROOT, 'peers', release, 'node_modules');
  return join(modules, '@modelcontextprotocol', 'server-everything', 'dist', file);
}

function program(file: string, ...args: string[]): Program {
  return { transport: 'stdio', command: process.execPath, args: [file, ...args], trust: 'trusted' };
}
