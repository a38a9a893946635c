/** A hub as large as any that people have: 1,000 servers in its config, 10,000 tools, 100,000 calls behind it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JUNCTOR, PROGRAMS } from '../programs.ts';
import type { Stage } from '../stage.ts';
import { seedCalls } from './seed.ts';

const SERVERS = 1000;
const TOOLS = 10_000;
export const CALLS = 100_000;

const TOKEN = 'a-token-of-the-bench-0123456789abcdef';

export interface ManyHub {
  readonly url: string;
  /** Logs a browser in, once. */
  address(): Promise<string>;
}

export async function startManyHub(stage: Stage): Promise<ManyHub> {
  const home = stage.newHome();
  const data = join(home, 'data');
  mkdirSync(data, { recursive: true });
  const upstream = stage.start([process.execPath, PROGRAMS.echoHttp, `--tools=${TOOLS}`]);
  const live = { transport: 'http', url: (await firstLine(upstream.stdout)).trim(), trust: 'trusted' };
  const idle = { transport: 'stdio', command: 'never-started', enabled: false };
  const others = Array.from({ length: SERVERS - 1 }, (_, at) => [`server-${String(at).padStart(4, '0')}`, idle]);
  const servers = { live, ...Object.fromEntries(others) };
  const config = join(home, 'hub.json');
  writeFileSync(config, JSON.stringify({ version: 1, servers }));
  await seedCalls(data, CALLS, Object.keys(servers).slice(0, 50));
  const argv = ['hub', '--json', '--config', config, '--isolated', '--data', data, '--port', '0'];
  const hub = stage.start([process.execPath, JUNCTOR, ...argv], { home, env: { JUNCTOR_HUB_TOKEN: TOKEN } });
  const { url } = JSON.parse(await firstDocument(hub.stdout)) as { url: string };
  const headers = { authorization: `Bearer ${TOKEN}` };
  return {
    url,
    async address() {
      const answer = await fetch(`${url}/api/login`, { method: 'POST', headers });
      return ((await answer.json()) as { url: string }).url;
    },
  };
}

function firstLine(stream: NodeJS.ReadableStream | null): Promise<string> {
  return readUntil(stream, text => text.includes('\n'));
}

function firstDocument(stream: NodeJS.ReadableStream | null): Promise<string> {
  return readUntil(stream, text => text.trimEnd().endsWith('}'));
}

async function readUntil(stream: NodeJS.ReadableStream | null, isEnough: (text: string) => boolean): Promise<string> {
  if (!stream) throw new Error('the program has no output');
  let text = '';
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  stream.on('data', piece => {
    text += piece;
    if (isEnough(text)) resolve(text);
  });
  stream.on('end', () => reject(new Error(`the program ended: ${text.slice(0, 300)}`)));
  return promise;
}
