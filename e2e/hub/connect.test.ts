import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import {
  type Home,
  isRunning,
  JUNCTOR,
  junctor,
  makeHome,
  promise,
  ROOT,
  startHub,
  testServer,
  trusted,
} from '@junctor/testkit';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, test } from 'vitest';
import { type EraName, obligingClient, textOf } from '../command-line/sdk-client.ts';
import { settled } from './settled.ts';

const CONFIG = { version: 1, servers: { demo: trusted(testServer()) } };

/** What a client's own config has for this server. */
function connectCommand(home: Home, agent: string, more: readonly string[] = []) {
  const args = [JUNCTOR, 'connect', agent, '--data', home.data, '--hub-port', '0', ...more];
  return { command: process.execPath, args, env: home.env, cwd: home.project, stderr: 'pipe' as const };
}

async function connected(home: Home, era: EraName, more: readonly string[] = []): Promise<Client & AsyncDisposable> {
  const client = obligingClient(era);
  await client.connect(new StdioClientTransport(connectCommand(home, 'codex', more)));
  // The hub was perhaps begun for this: its servers may take longer to start than it waits for them.
  await expect.poll(async () => (await client.listTools()).tools.length).toBeGreaterThan(0);
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

const isolated = async (home: Home): Promise<string[]> => {
  const file = await home.write('servers.json', CONFIG);
  return ['--config', file, '--isolated'];
};

interface HubJson {
  readonly url: string;
  readonly socket: string;
  readonly pid: number;
  readonly version: string;
  readonly token: string;
}

const hubJson = async (home: Home): Promise<HubJson> =>
  JSON.parse(await readFile(join(home.data, 'hub.json'), 'utf8')) as HubJson;

const stop = (home: Home) => junctor(home, ['hub', 'stop', '--data', home.data]);

describe('junctor connect', () => {
  promise('8.18a', 'carries MCP of both eras between stdio and the door of an agent', async () => {
    await using home = await makeHome();
    const agents = { codex: { servers: ['demo'] } };
    await using hub = await startHub(home, { ...CONFIG, servers: { ...CONFIG.servers, other: testServer() }, agents });
    const there = async () => {
      const { sessions } = (await (await hub.fetch('/api/sessions?open=true')).json()) as {
        sessions: { agent: string; client: string }[];
      };
      return sessions.map(one => [one.agent, one.client.split(' ')[0]]);
    };
    for (const era of ['legacy', 'modern'] as const) {
      await using client = await connected(home, era);
      const names = (await client.listTools()).tools.map(({ name }) => name);
      // The roster of this agent, under the names of its door.
      expect(new Set(names.map(name => name.split('_')[0]))).toEqual(new Set(['demo']));
      expect(textOf(await client.callTool({ name: 'demo_echo', arguments: { text: 'ünï\nline' } }))).toBe('ünï\nline');
      // Questions of servers come back the same way.
      expect(textOf(await client.callTool({ name: 'demo_ask_person', arguments: {} }))).toContain('Ada');
      await expect.poll(there).toEqual([['codex', 'obliging']]);
    }
    await expect.poll(there).toEqual([]);
  });

  promise('8.18a', 'serves the MCP Inspector', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, CONFIG);
    await settled(hub);
    const { command, args, env, cwd } = connectCommand(home, 'default');
    const inspector = join(ROOT, 'node_modules', '.bin', 'mcp-inspector');
    const words = [
      '--cli',
      command,
      ...args,
      '--method',
      'tools/call',
      '--tool-name',
      'demo_echo',
      '--tool-arg',
      'text=hi',
    ];
    const { stdout } = await promisify(execFile)(inspector, words, { cwd, env: { ...process.env, ...env } });
    expect(JSON.parse(stdout)).toMatchObject({ content: [{ type: 'text', text: 'hi' }] });
  });

  promise('8.18b', 'starts a hub where none runs: one, also where several come at once', async () => {
    await using home = await makeHome();
    const config = await isolated(home);
    const clients = await Promise.all([1, 2, 3].map(() => connected(home, 'legacy', config)));
    for (const client of clients)
      expect(textOf(await client.callTool({ name: 'demo_echo', arguments: { text: 'hi' } }))).toBe('hi');
    const { pid, url } = await hubJson(home);
    const { token } = await hubJson(home);
    const answer = await fetch(`${url}/api/sessions?open=true`, { headers: { authorization: `Bearer ${token}` } });
    expect(((await answer.json()) as { sessions: object[] }).sessions).toHaveLength(3);
    const log = await readFile(join(home.data, 'hub.log'), 'utf8');
    expect(log.match(/Junctor hub: /g)).toHaveLength(1);
    await Promise.all(clients.map(client => client.close()));
    // It lives on for whoever comes next.
    expect(isRunning(pid)).toBe(true);
    await stop(home);
    expect(isRunning(pid)).toBe(false);
  });

  promise('9.6c', 'leaves a hub that ends by itself after its last session', async () => {
    await using home = await makeHome();
    const config = await isolated(home);
    const { stdout } = await junctor(home, ['connect', '--help']);
    expect(stdout).toMatch(/--hub-unused SECONDS .*\(default: 600\)/);
    const client = await connected(home, 'legacy', [...config, '--hub-unused', '3']);
    const { pid } = await hubJson(home);
    const started = textOf(await client.callTool({ name: 'demo_slow', arguments: { ms: 4000 } }));
    // While somebody is there it stays, however long nothing is said.
    expect([started !== '', isRunning(pid)]).toEqual([true, true]);
    await client.close();
    await expect.poll(() => isRunning(pid)).toBe(false);
    await expect(stat(join(home.data, 'hub.json'))).rejects.toThrow('ENOENT');
  });

  test('finds the hub again once it was restarted, and says what became of a call that ran', async () => {
    await using home = await makeHome();
    const config = await isolated(home);
    await using client = await connected(home, 'legacy', config);
    const news = Promise.withResolvers<void>();
    client.setNotificationHandler('notifications/tools/list_changed', () => news.resolve());
    const { pid } = await hubJson(home);
    const running = client.callTool({ name: 'demo_slow', arguments: { ms: 60_000 } }).catch((error: Error) => error);
    await client.callTool({ name: 'demo_echo', arguments: { text: 'sent after it' } });
    process.kill(pid, 'SIGKILL');
    expect(String(await running)).toContain('whether a server acted on it is not known');
    // The next word begins a hub.
    expect(textOf(await client.callTool({ name: 'demo_echo', arguments: { text: 'again' } }))).toBe('again');
    await news.promise;
    expect((await hubJson(home)).pid).not.toBe(pid);
    await stop(home);
  });

  promise('8.18e', 'says nothing before the answer to initialize, though the hub ended first', async () => {
    await using home = await makeHome();
    const { command, args, env, cwd } = connectCommand(home, 'codex', await isolated(home));
    const child = spawn(command, args, { env, cwd, stdio: ['pipe', 'pipe', 'ignore'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await lines.next()).value ?? 'null');
    const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    say({ id: 'there', method: 'ping' });
    expect(await next()).toMatchObject({ id: 'there' });
    process.kill((await hubJson(home)).pid, 'SIGKILL');
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    // One that was sent to the hub that is gone is answered with an error; the next one begins a hub.
    let first: { error?: object } = { error: {} };
    for (let time = 0; first.error && time < 5; time++) {
      say({ id: `hello ${time}`, method: 'initialize', params });
      first = await next();
    }
    expect(first).toMatchObject({ id: expect.stringMatching(/^hello/), result: { serverInfo: {} } });
    child.stdin.end();
    await once(child, 'close');
    await stop(home);
  });

  test('ends with its owner, and writes nothing but the protocol to stdout', async () => {
    await using home = await makeHome();
    await using _hub = await startHub(home, CONFIG);
    const { command, args, env, cwd } = connectCommand(home, 'codex');
    const child = spawn(command, args, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    const lines: { readonly id?: string }[] = [];
    createInterface({ input: child.stdout }).on('line', line => lines.push(JSON.parse(line)));
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 'one', method: 'initialize', params })}\n`);
    // What was asked before the end is answered.
    child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 'two', method: 'ping' })}\n`);
    const [code] = await once(child, 'close');
    const byId = Map.groupBy(lines, ({ id }) => id);
    expect([code, lines.length, [...byId.keys()].sort()]).toEqual([0, 2, ['one', 'two']]);
    expect(byId.get('two')).toEqual([{ jsonrpc: '2.0', id: 'two', result: {} }]);
  });

  promise('8.18d', 'answers every request of a file', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, CONFIG);
    await settled(hub);
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    const messages = [
      { id: 'hello', method: 'initialize', params },
      { method: 'notifications/initialized' },
      { id: 'slow', method: 'tools/call', params: { name: 'demo_slow', arguments: { ms: 3000 } } },
    ];
    const requests = messages.map(message => JSON.stringify({ jsonrpc: '2.0', ...message })).join('\n');
    await using input = await open(await home.write('requests.jsonl', `${requests}\n`));
    const { command, args, env, cwd } = connectCommand(home, 'codex');
    const child = spawn(command, args, { env, cwd, stdio: [input.fd, 'pipe', 'ignore'] });
    const [stdout, [code]] = await Promise.all([text(child.stdout as Readable), once(child, 'close')]);
    const ids = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).id);
    expect([code, ids]).toEqual([0, ['hello', 'slow']]);
  });

  test('is refused in words: an unknown agent, a token that is not known, a token of another agent', async () => {
    await using home = await makeHome();
    await using _hub = await startHub(home, CONFIG);
    const refusal = async (agent: string, token?: string) => {
      const { code, stdout, stderr } = await junctor(home, ['connect', agent, '--data', home.data], {
        env: token === undefined ? {} : { JUNCTOR_TOKEN: token },
      });
      return [code, stdout, stderr.split('\n')[0]];
    };
    const token = (await junctor(home, ['hub', 'token', '--agent', 'codex', '--data', home.data])).stdout.trim();
    expect(await refusal('nobody')).toEqual([
      1,
      '',
      expect.stringMatching(/^error: Unknown agent 'nobody'\. Known: default, /),
    ]);
    expect(await refusal('codex', 'jct_unknown')).toEqual([
      1,
      '',
      'error: The hub does not know that token. (token_required)',
    ]);
    expect(await refusal('cursor', token)).toEqual([
      1,
      '',
      expect.stringContaining("This token belongs to agent 'codex'"),
    ]);
    expect(await refusal('codex', token)).toEqual([0, '', expect.stringMatching(/^the hub at \S+ serves the config/)]);
  });

  test('says why no hub could be started', async () => {
    await using home = await makeHome();
    const file = await home.write('broken.json', '{ "version": 1, "servers": { "x": 7 } }');
    const args = ['connect', 'codex', '--data', home.data, '--hub-port', '0', '--config', file, '--strict'];
    const { code, stdout, stderr } = await junctor(home, args);
    expect([code, stdout, stderr.split('\n')[0]]).toEqual([
      1,
      '',
      'error: No hub runs on this data directory, and none could be started. (hub_failed)',
    ]);
    expect(stderr).toContain('broken.json');
  });
});
