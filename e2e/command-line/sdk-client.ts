/** The official SDK's client on a server that the command line starts: what it makes of the server is not ours to bend. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Home, JUNCTOR } from '@junctor/testkit';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export type EraName = 'legacy' | 'modern';

export function start(home: Home, ...words: string[]): ChildProcess {
  return spawn(process.execPath, [JUNCTOR, ...words], {
    cwd: home.project,
    env: home.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

export async function firstLine(child: ChildProcess): Promise<string> {
  const [chunk] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return chunk.toString().trim();
}

/** A client that has folders, a model and a person, all of them easy to satisfy. */
export function obligingClient(era: EraName): Client {
  const client = new Client(
    { name: 'obliging', version: '1' },
    {
      capabilities: { roots: {}, sampling: {}, elicitation: { form: {}, url: {} } },
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    },
  );
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///somewhere', name: 'somewhere' }] }));
  client.setRequestHandler('sampling/createMessage', () => ({
    role: 'assistant',
    model: 'obliging',
    content: { type: 'text', text: 'Hello to you.' },
  }));
  client.setRequestHandler('elicitation/create', ({ params }) =>
    params.mode === 'url' ? { action: 'accept' } : { action: 'accept', content: { name: 'Ada' } },
  );
  return client;
}

export type Way = 'stdio' | 'http';

/** Starts `junctor test-server` and joins the client to it; leaving the block ends both. */
export async function joined(home: Home, client: Client, way: Way, ...options: string[]): Promise<AsyncDisposable> {
  if (way === 'stdio') {
    const args = [JUNCTOR, 'test-server', '--stdio', ...options];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env: home.env, cwd: home.project }),
    );
    return { [Symbol.asyncDispose]: () => client.close() };
  }
  const server = start(home, 'test-server', '--http', '0', ...options);
  await client.connect(new StreamableHTTPClientTransport(new URL(await firstLine(server))));
  return {
    async [Symbol.asyncDispose]() {
      await client.close();
      server.kill('SIGTERM');
      await once(server, 'exit');
    },
  };
}

/** The text of a result. */
export function textOf(result: object): string {
  const { content } = result as { content?: readonly { readonly text?: string }[] };
  return (content ?? []).map(({ text }) => text ?? '').join('');
}

/** For methods the SDK does not know: their results are taken as they come. */
export const anyResult = {
  '~standard': { version: 1, vendor: 'tests', validate: (value: unknown) => ({ value }) },
} as const;
