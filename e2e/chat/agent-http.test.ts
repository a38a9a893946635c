import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createHost } from '@junctor/core';
import { type Home, JUNCTOR, junctor, makeHome, promise, ROOT } from '@junctor/testkit';
import { type ScriptedModel, startModel } from '@junctor/testkit/model';
import { expect, test } from 'vitest';
import { runScenario } from '../conformance/run-suite.ts';

const INSPECTOR = join(ROOT, 'node_modules', '.bin', 'mcp-inspector');

interface Served extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  /** What a client sends with each request. */
  readonly headers: { readonly authorization: string };
}

async function serve(home: Home, model: ScriptedModel): Promise<Served> {
  const words = [JUNCTOR, 'mcp-server', '--http', '0', '--json', '--base-url', model.url, '--model', 'scripted'];
  const child = spawn(process.execPath, words, {
    cwd: home.project,
    env: home.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const line of createInterface({ input: child.stdout })) {
    printed += line;
    if (line === '}') break;
  }
  const { url, token } = JSON.parse(printed) as { url: string; token: string };
  return {
    url,
    token,
    headers: { authorization: `Bearer ${token}` },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

promise('8.17a', 'mcp-server --http serves the agent over HTTP, in both eras', async () => {
  await using home = await makeHome();
  await using model = await startModel([{ text: 'old' }, { text: 'new' }]);
  await using agent = await serve(home, model);
  const said = [];
  for (const era of ['legacy', 'modern'] as const) {
    const servers = { agent: { transport: 'http', url: agent.url, headers: agent.headers, trust: 'trusted' } } as const;
    await using host = await createHost({ config: { version: 1, servers }, era });
    said.push((await host.call('mcp__agent__junctor', { prompt: 'hi' })).data);
    expect(host.status()[0]?.protocol_version).toBe(era === 'legacy' ? '2025-11-25' : '2026-07-28');
  }
  expect(said).toMatchObject([{ response: 'old' }, { response: 'new' }]);
});

promise('12.6f', 'mcp-server --http serves nobody without its token, no other page, and no huge request', async () => {
  await using home = await makeHome();
  await using model = await startModel();
  await using agent = await serve(home, model);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const status = async (headers: Record<string, string>, sent = body): Promise<number> =>
    (
      await fetch(agent.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: sent,
      })
    ).status;
  expect(await status({})).toBe(401);
  expect(await status({ authorization: 'Bearer guessed' })).toBe(401);
  expect(await status({ authorization: `Basic ${agent.token}` })).toBe(401);
  expect((await fetch(agent.url, { method: 'DELETE' })).status).toBe(401);
  expect(await status({ ...agent.headers, origin: 'http://evil.example' })).toBe(403);
  expect(await status({ ...agent.headers, origin: 'http://127.0.0.1:1' })).toBe(403);
  expect(await status({ ...agent.headers, origin: 'null' })).toBe(403);
  // Without a session the request goes no further, but it was let in.
  expect(await status({ ...agent.headers })).toBe(400);
  const large = status(agent.headers, 'x'.repeat(5 * 1024 * 1024)).catch(() => 'closed');
  expect([413, 'closed']).toContain(await large);
  expect(model.requests).toEqual([]);
});

test('a token for mcp-server that can be guessed is refused', async () => {
  await using home = await makeHome();
  const env = { JUNCTOR_MCP_SERVER_TOKEN: 'short' };
  const { code, stderr } = await junctor(home, ['mcp-server', '--http', '0'], { env });
  expect(code).toBe(2);
  expect(stderr).toContain('JUNCTOR_MCP_SERVER_TOKEN is no token that protects anything');
});

const withToken = ({ token }: Served): string[] => ['--header', `Authorization: Bearer ${token}`];

/** The suite sends no token: each of its requests gets one on the way, and is passed on as it is otherwise. */
async function tokenProxy({ url, headers }: Served): Promise<AsyncDisposable & { readonly url: string }> {
  const proxy = createServer((request, response) => {
    const { method } = request;
    const passed = httpRequest(url, { method, headers: { ...request.headers, ...headers } }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

test.each(['legacy', 'modern'])(
  'the MCP Inspector lists and calls the agent, in the %s era',
  async era => {
    await using home = await makeHome();
    await using model = await startModel([{ text: 'inspected' }]);
    await using agent = await serve(home, model);
    const inspect = async (...words: string[]) => {
      const all = [
        INSPECTOR,
        '--cli',
        agent.url,
        '--transport',
        'http',
        '--protocol-era',
        era,
        ...withToken(agent),
        ...words,
      ];
      const { stdout } = await promisify(execFile)(process.execPath, all, {
        timeout: 55_000,
        env: { ...process.env, HOME: home.path },
      });
      return JSON.parse(stdout);
    };
    const { tools } = await inspect('--method', 'tools/list');
    expect(tools.map((tool: { name: string }) => tool.name)).toEqual(['junctor', 'junctor-reply']);
    const called = await inspect('--method', 'tools/call', '--tool-name', 'junctor', '--tool-arg', 'prompt=hi');
    expect(called).toMatchObject({ structuredContent: { response: 'inspected' } });
  },
  120_000,
);

test.each([
  ['server-initialize', '2025-11-25'],
  ['ping', '2025-11-25'],
  ['tools-list', '2025-11-25'],
  ['dns-rebinding-protection', '2025-11-25'],
  ['server-stateless', '2026-07-28'],
])('the agent passes the conformance scenario %s of %s', async (scenario, specVersion) => {
  await using home = await makeHome();
  await using model = await startModel();
  await using agent = await serve(home, model);
  await using proxy = await tokenProxy(agent);
  const { failed, passed } = await runScenario({ side: 'server', scenario, specVersion, url: proxy.url });
  // Four checks call tools that only a server made for the suite has; the test server has them, and passes.
  const untestable = failed.filter(line => /Not testable: server does not list the diagnostic tool/.test(line));
  expect(failed.filter(line => !untestable.includes(line))).toEqual([]);
  expect(untestable).toHaveLength(scenario === 'server-stateless' ? 4 : 0);
  expect(passed).toBeGreaterThan(0);
});
