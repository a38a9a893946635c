import { JUNCTOR, npmServer, testkitProgram } from './root.ts';

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
  return stdio(testkitProgram('misbehaving', `${kind}.js`), ...args);
}

export function everything(): StdioDefinition {
  return stdio(npmServer('everything'), 'stdio');
}

export function filesystem(directory: string): StdioDefinition {
  return stdio(npmServer('filesystem'), directory);
}

/** Keeps what it is told in the file. */
export function memory(file: string): StdioDefinition & { readonly env: { readonly MEMORY_FILE_PATH: string } } {
  return { ...stdio(npmServer('memory')), env: { MEMORY_FILE_PATH: file } };
}

/** A server behind a URL, whose program Junctor starts on a port of its choice. */
export interface StartedDefinition {
  readonly transport: 'http' | 'sse' | 'ws';
  readonly url: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The public test server, reached over each of its transports. */
export function startedServer(transport: StartedDefinition['transport'] = 'http'): StartedDefinition {
  const urls = {
    http: 'http://127.0.0.1:${PORT}/mcp',
    sse: 'http://127.0.0.1:${PORT}/sse',
    ws: 'ws://127.0.0.1:${PORT}/',
  };
  const { command, args } = stdio(JUNCTOR, 'test-server', `--${transport}`, '${PORT}');
  return { transport, url: urls[transport], command, args };
}

export function startedEverything(): StartedDefinition {
  const { command, args } = stdio(npmServer('everything'), 'streamableHttp');
  return { transport: 'http', url: 'http://127.0.0.1:${PORT}/mcp', command, args };
}

/** The program `behind-url` of the misbehaving folder. */
export function behindUrl(...args: string[]): StartedDefinition {
  const { command, args: words } = misbehaving('behind-url', ...args);
  return { transport: 'http', url: 'http://127.0.0.1:${PORT}/mcp', command, args: words };
}

export function trusted<Definition extends object>(definition: Definition): Definition & { trust: 'trusted' } {
  return { ...definition, trust: 'trusted' };
}

function stdio(file: string, ...args: string[]): StdioDefinition {
  return { transport: 'stdio', command: process.execPath, args: [file, ...args] };
}
