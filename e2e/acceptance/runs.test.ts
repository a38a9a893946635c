/** Document C, §11: what a run of the agent does with servers of both transports, from one `config.json`. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHost } from '@junctor/core';
import { type Home, junctor, makeHome, misbehaving, promise, testServer } from '@junctor/testkit';
import { type ScriptedModel, startModel } from '@junctor/testkit/model';
import { CTRL_C, openTerminal } from '@junctor/testkit/terminal';
import { serveHttp } from '@junctor/testkit/test-server';
import { expect } from 'vitest';
import { type Said, watchedHttp, watchedStdio } from './watched.ts';

/** The file of Codelia, where Codelia keeps it. */
const writeConfig = (home: Home, servers: object): Promise<string> =>
  home.write('.codelia/config.json', { version: 1, mcp: { servers } });

const methods = (said: readonly Said[]): (string | undefined)[] => said.map(({ method }) => method);

const callOf = (tool: string, said: readonly Said[]): Said | undefined =>
  said.find(({ method, params }) => method === 'tools/call' && params?.name === tool);

/** What was said to give up the call of this tool. */
function cancellationOf(tool: string, said: readonly Said[]): Said | undefined {
  const call = callOf(tool, said);
  return said.find(
    ({ method, params }) => method === 'notifications/cancelled' && call && params?.requestId === call.id,
  );
}

interface ToolResult {
  readonly type: string;
  readonly content: unknown;
  readonly is_error?: boolean;
}

/** What the model was told its calls came to, and which of them had failed. */
function toldOf(model: ScriptedModel): [failed: boolean, words: string][] {
  const messages = (model.requests[1]?.body.messages ?? []) as { content: readonly ToolResult[] }[];
  return messages
    .flatMap(({ content }) => content)
    .filter(({ type }) => type === 'tool_result')
    .map(({ content, is_error = false }) => [is_error, JSON.stringify(content)]);
}

/** Of the APIs that models have, this one tells an error apart from an answer. */
const MODEL = ['--model', 'anthropic/scripted', '--yes'];
const KEY = { ANTHROPIC_API_KEY: 'sk-of-nobody' };

promise(
  ['C11.1d', 'C11.2a', 'C11.4g'],
  'one config.json holds both transports; a run lists and calls, errors reach the model, Ctrl-C reaches the servers',
  async () => {
    await using home = await makeHome();
    const server = await serveHttp(0, { era: 'legacy' });
    await using http = await watchedHttp(server.url);
    const stdio = watchedStdio(home, testServer('--era', 'legacy'));
    const { command, args } = stdio.definition;
    await writeConfig(home, {
      remote: { transport: 'http', url: http.url },
      local: { transport: 'stdio', command, args },
    });
    const listed = JSON.parse((await junctor(home, ['mcp', 'list', '--json'])).stdout);
    // The file lies above the project, and is the person's own all the same.
    expect(listed.servers).toMatchObject([
      { id: 'local', transport: 'stdio', source: 'global', enabled: true },
      { id: 'remote', transport: 'http', source: 'global', enabled: true },
    ]);
    const both = (tool: string, input: object) =>
      ['remote', 'local'].map(id => ({ name: `mcp__${id}__${tool}`, args: { ...input } }));
    await using model = await startModel([
      { calls: [...both('echo', { text: 'well met' }), ...both('fail', { message: 'out of paper' })] },
      { text: 'I saw.' },
      { calls: both('slow', { ms: 600_000 }) },
      { text: 'I go on.' },
    ]);
    try {
      await using terminal = openTerminal(home, ['chat', '--base-url', model.url, ...MODEL], { env: KEY });
      await terminal.shows(/\n›$/);
      for (const id of ['remote', 'local']) await terminal.enter(`/mcp connect ${id}`, /connected/);
      await terminal.enter('call them', /I saw\.\n›$/);
      for (const said of [http.said(), await stdio.said()]) {
        expect(methods(said)).toEqual(expect.arrayContaining(['tools/list', 'tools/call']));
      }
      const answered = [false, expect.stringContaining('well met')];
      const failed = [true, expect.stringContaining('out of paper')];
      expect(toldOf(model)).toEqual([answered, answered, failed, failed]);

      await terminal.enter('be slow', /⋯ remote slow[\s\S]*⋯ local slow|⋯ local slow[\s\S]*⋯ remote slow/);
      await expect.poll(() => callOf('slow', http.said())).toBeDefined();
      await expect.poll(async () => callOf('slow', await stdio.said())).toBeDefined();
      terminal.type(CTRL_C);
      await terminal.shows(/\(interrupted\)/);
      await expect.poll(() => cancellationOf('slow', http.said())).toBeDefined();
      await expect.poll(async () => cancellationOf('slow', await stdio.said())).toBeDefined();
      await terminal.enter('still there?', /I go on\.\n›$/);
    } finally {
      await server.close();
    }
  },
);

promise('C11.4i', '/mcp shows servers that are still connecting as such, whatever their transport', async () => {
  await using home = await makeHome();
  const silent = createServer(() => {});
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve));
  const { command, args } = misbehaving('never-answers');
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/mcp`;
  await writeConfig(home, { remote: { transport: 'http', url }, local: { transport: 'stdio', command, args } });
  try {
    await using terminal = openTerminal(home, ['chat', '--base-url', 'http://127.0.0.1:9/v1', '--model', 'x']);
    await terminal.shows(/\n›$/);
    const shown = await terminal.enter('/mcp', /local.*\n[\s\S]*›$/);
    expect(shown).toMatch(/remote +http +global +true +connecting/);
    expect(shown).toMatch(/local +stdio +global +true +connecting/);
  } finally {
    await new Promise(resolve => silent.close(resolve).closeAllConnections());
  }
});

promise('C11.3a', 'a run retrieves resources and prompts with tools of its own', async () => {
  await using home = await makeHome();
  await writeConfig(home, { demo: testServer() });
  const prompt = { server: 'demo', name: 'greet', arguments: { name: 'Ada' } };
  await using model = await startModel([
    {
      calls: [
        { name: 'mcp_resources_list', args: {} },
        { name: 'mcp_resource_templates_list', args: {} },
        { name: 'mcp_resource_read', args: { server: 'demo', uri: 'demo://greeting' } },
        { name: 'mcp_prompts_list', args: {} },
        { name: 'mcp_prompt_get', args: prompt },
      ],
    },
    { text: 'read' },
  ]);
  const words = ['chat', '--base-url', model.url, ...MODEL, '-p', 'read all'];
  expect((await junctor(home, words, { env: KEY })).stdout).toBe('read\n');
  const said = [/demo:\/\/greeting/, /\{/, /[Hh]ello/, /greet/, /Ada/];
  expect(toldOf(model)).toEqual(said.map(part => [false, expect.stringMatching(part)]));
});

promise(
  'C11.4h',
  'a request that hangs ends by its timeout, and the server goes on, whatever its transport',
  async () => {
    await using home = await makeHome();
    const server = await serveHttp(0);
    const { command, args } = testServer();
    const path = await writeConfig(home, {
      remote: { transport: 'http', url: server.url, request_timeout_ms: 3000 },
      local: { transport: 'stdio', command, args, request_timeout_ms: 3000 },
    });
    try {
      await using host = await createHost({ path, dialect: 'codelia', ask: async () => true });
      await host.tools();
      const outcomes = await Promise.all(
        ['remote', 'local'].map(id =>
          host.call({ server: id, tool: 'slow' }, { ms: 600_000 }).catch((error: { code: string }) => error.code),
        ),
      );
      expect(outcomes).toEqual(['timeout', 'timeout']);
      for (const id of ['remote', 'local']) {
        expect((await host.call({ server: id, tool: 'echo' }, { text: 'still here' })).output).toBe('still here');
      }
    } finally {
      await server.close();
    }
  },
);
