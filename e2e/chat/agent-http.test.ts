import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createHost } from '@junctor/core';
import { type Home, JUNCTOR, makeHome, promise, ROOT } from '@junctor/testkit';
import { type ScriptedModel, startModel } from '@junctor/testkit/model';
import { expect, test } from 'vitest';
import { runScenario } from '../conformance/run-suite.ts';

const INSPECTOR = join(ROOT, 'node_modules', '.bin', 'mcp-inspector');

interface Served extends AsyncDisposable {
  readonly url: string;
}

async function serve(home: Home, model: ScriptedModel): Promise<Served> {
  const words = [JUNCTOR, 'mcp-server', '--http', '0', '--base-url', model.url, '--model', 'scripted'];
  const child = spawn(process.execPath, words, {
    cwd: home.project,
    env: home.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    url,
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
    const servers = { agent: { transport: 'http', url: agent.url, trust: 'trusted' } } as const;
    await using host = await createHost({ config: { version: 1, servers }, era });
    said.push((await host.call('mcp__agent__junctor', { prompt: 'hi' })).data);
    expect(host.status()[0]?.protocol_version).toBe(era === 'legacy' ? '2025-11-25' : '2026-07-28');
  }
  expect(said).toMatchObject([{ response: 'old' }, { response: 'new' }]);
});

test.each(['legacy', 'modern'])(
  'the MCP Inspector lists and calls the agent, in the %s era',
  async era => {
    await using home = await makeHome();
    await using model = await startModel([{ text: 'inspected' }]);
    await using agent = await serve(home, model);
    const inspect = async (...words: string[]) => {
      const all = [INSPECTOR, '--cli', agent.url, '--transport', 'http', '--protocol-era', era, ...words];
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
  const { failed, passed } = await runScenario({ side: 'server', scenario, specVersion, url: agent.url });
  // Four checks call tools that only a server made for the suite has; the test server has them, and passes.
  const untestable = failed.filter(line => /Not testable: server does not list the diagnostic tool/.test(line));
  expect(failed.filter(line => !untestable.includes(line))).toEqual([]);
  expect(untestable).toHaveLength(scenario === 'server-stateless' ? 4 : 0);
  expect(passed).toBeGreaterThan(0);
});
