/** What an editor shows: the language server that comes with TypeScript, asked as an editor asks it. */
import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeHome, promise, ROOT } from '@junctor/testkit';
import { expect } from 'vitest';

const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const PROGRAM = `import { createHost, type McpConfigInput } from '@junctor/core';
export const config: McpConfigInput = {
  version: 1,
  servers: {
    fs: { transport: 'stdio', command: 'npx', trust: 'trusted', tool_timeout_ms: 1000 },
    far: { transport: 'http', url: 'https://example.com', oauth: { client_id: 'a' } },
  },
  executors: { docker: { docker: { image: 'node' } } },
};
await createHost({
  config: { version: 1, permissions: { deny: ['mcp__fs__*'] }, search: { context_threshold: 0.1 }, servers: { near: { transport: 'stdio', command: 'npx', max_message_bytes: 9 } } },
});
`;

/** The language server of one folder, told of its one program. */
class LanguageServer implements AsyncDisposable {
  readonly #process;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #received = Buffer.alloc(0);
  #lastId = 0;

  constructor(folder: string) {
    this.#process = spawn(process.execPath, [TSC, '--lsp', '--stdio'], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#process.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  ask(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#lastId;
    const answer = new Promise(resolve => this.#waiting.set(id, resolve));
    this.tell({ id, method, params });
    return answer;
  }

  tell(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #read(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n');
      const length = Number(
        /Content-Length: (\d+)/i.exec(this.#received.subarray(0, Math.max(end, 0)).toString())?.[1],
      );
      if (end < 0 || this.#received.length < end + 4 + length) return;
      const message = JSON.parse(this.#received.subarray(end + 4, end + 4 + length).toString());
      this.#received = this.#received.subarray(end + 4 + length);
      // A request of the server, such as one for settings, is answered with nothing: it then takes its defaults.
      if (message.method !== undefined && message.id !== undefined) this.tell({ id: message.id, result: null });
      else this.#waiting.get(message.id)?.(message.result);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise(resolve => this.#process.once('exit', resolve));
    await this.ask('shutdown', null);
    this.tell({ method: 'exit', params: null });
    this.#process.stdin.end();
    await ended;
  }
}

/** What the editor shows over each of the keys, found in the program by their names. */
async function hovers(program: string, keys: readonly string[]): Promise<Record<string, string>> {
  await using home = await makeHome();
  const folder = join(home.path, 'editor');
  mkdirSync(folder);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const compilerOptions = { noEmit: true, strict: true, target: 'esnext', module: 'nodenext', types: ['node'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  const file = join(folder, 'program.ts');
  writeFileSync(file, program);
  const uri = pathToFileURL(file).href;
  await using server = new LanguageServer(folder);
  const capabilities = { textDocument: { hover: { contentFormat: ['plaintext'] } } };
  await server.ask('initialize', { processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities });
  server.tell({ method: 'initialized', params: {} });
  const textDocument = { uri, languageId: 'typescript', version: 1, text: program };
  server.tell({ method: 'textDocument/didOpen', params: { textDocument } });
  const shown: Record<string, string> = {};
  for (const key of keys) {
    const before = program.slice(0, program.indexOf(`${key}:`)).split('\n');
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    shown[key] = JSON.stringify(await server.ask('textDocument/hover', { textDocument: { uri }, position }));
  }
  return shown;
}

promise('12.7i', 'an editor shows what a key of a config is for, at any depth', async () => {
  const texts = {
    servers: 'By id, which agents see as a part of the names of tools.',
    trust: 'Tools of a trusted server run without asking',
    tool_timeout_ms: 'How long a tool call may take in all. Default 97200000 (27 hours).',
    client_id: 'A client that is registered already.',
    image: 'each server gets a container of it',
    permissions: 'Which tools may run.',
    deny: 'Tools that never run. Deny beats ask, ask beats allow.',
    context_threshold: 'Share of the context window',
    max_message_bytes: 'A larger message fails its own request and nothing else.',
  };
  const shown = await hovers(PROGRAM, Object.keys(texts));
  const missing = Object.entries(texts).filter(([key, text]) => !shown[key]?.includes(text));
  expect(missing.map(([key]) => [key, shown[key]])).toEqual([]);
});
