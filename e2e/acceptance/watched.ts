/** Servers seen through a window: what a client says to them is written down, and passes unchanged. */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, request as sendOn } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Home, testServer } from '@junctor/testkit';

type StdioDefinition = ReturnType<typeof testServer>;

/** One message of a client. */
export interface Said {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface Passed {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly said: Said | undefined;
  /** Of the answer, once it begins. */
  answerType: string | undefined;
}

export interface WatchedHttp extends AsyncDisposable {
  readonly url: string;
  readonly passed: Passed[];
  said(): Said[];
}

export async function watchedHttp(target: string): Promise<WatchedHttp> {
  const passed: Passed[] = [];
  const window = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const one: Passed = {
      method: incoming.method ?? '',
      headers: incoming.headers,
      said: body.length > 0 ? JSON.parse(body.toString()) : undefined,
      answerType: undefined,
    };
    passed.push(one);
    const { host: _, ...headers } = incoming.headers;
    const onward = sendOn(target, { method: one.method, headers }, answer => {
      one.answerType = answer.headers['content-type'];
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    onward.end(body);
  });
  await new Promise<void>(resolve => window.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(window.address() as AddressInfo).port}/mcp`,
    passed,
    said: () => passed.flatMap(({ said }) => said ?? []),
    async [Symbol.asyncDispose]() {
      await new Promise(resolve => window.close(resolve).closeAllConnections());
    },
  };
}

export interface WatchedStdio {
  readonly definition: StdioDefinition;
  said(): Promise<Said[]>;
}

export function watchedStdio(home: Home, { command, args }: StdioDefinition, name = 'said.jsonl'): WatchedStdio {
  const file = join(home.path, name);
  // What is passed on stands in the file already: tee writes to its stdout first, and that is the file.
  const passOn = `{ tee /dev/fd/4 >> '${file}'; } 4>&1 | exec "$0" "$@"`;
  return {
    definition: { transport: 'stdio', command: 'sh', args: ['-c', passOn, command, ...args] },
    async said() {
      const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
      return lines.map(line => JSON.parse(line));
    },
  };
}
