/** A client of `junctor connect` that sends exactly the lines a test wants sent. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Home, JUNCTOR } from '@junctor/testkit';

export interface Line {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: { readonly content?: readonly { readonly text: string }[]; readonly isError?: boolean };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface RawConnect extends AsyncDisposable {
  say(message: object | readonly object[]): void;
  /** The first line that fits, among those that came and those to come. */
  line(fits: (line: Line) => boolean): Promise<Line>;
  /** Every line so far. A batch is one line. */
  readonly lines: readonly Line[];
}

export async function rawConnect(
  home: Home,
  { protocolVersion = '2025-11-25', capabilities = {} } = {},
): Promise<RawConnect> {
  const args = [JUNCTOR, 'connect', 'codex', '--data', home.data, '--hub-port', '0'];
  const child = spawn(process.execPath, args, { cwd: home.project, env: home.env, stdio: ['pipe', 'pipe', 'ignore'] });
  const lines: Line[] = [];
  const came = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', text => {
    lines.push(JSON.parse(text));
    for (const look of came) look();
  });
  const client: RawConnect = {
    lines,
    say: message => void child.stdin.write(`${JSON.stringify(message)}\n`),
    line: fits =>
      new Promise(resolve => {
        const look = (): void => {
          const found = lines.find(fits);
          if (!found) return;
          came.delete(look);
          resolve(found);
        };
        came.add(look);
        look();
      }),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'close');
    },
  };
  const clientInfo = { name: 'raw', version: '1' };
  client.say({
    jsonrpc: '2.0',
    id: 'hello',
    method: 'initialize',
    params: { protocolVersion, capabilities, clientInfo },
  });
  await client.line(({ id }) => id === 'hello');
  client.say({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return client;
}

export const toolCall = (id: string, name: string, args: object): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
