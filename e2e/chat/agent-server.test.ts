import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createHost, type HostOptions } from '@junctor/core';
import { type Home, JUNCTOR, junctor, makeHome, promise, testServer, trusted } from '@junctor/testkit';
import { type ScriptedModel, startModel } from '@junctor/testkit/model';
import { expect, test } from 'vitest';

const words = (model: ScriptedModel, ...more: string[]): string[] => [
  JUNCTOR,
  'mcp-server',
  '--base-url',
  model.url,
  '--model',
  'scripted',
  ...more,
];

const withServers = (home: Home, servers: object): Promise<string> =>
  home.write('config/junctor/config.json', { version: 1, servers });

/** The agent as our own host sees it. */
function hostFor(home: Home, model: ScriptedModel, options: Partial<HostOptions> = {}): ReturnType<typeof createHost> {
  const program = { command: process.execPath, args: words(model), env: home.env, cwd: home.project };
  const agent = { transport: 'stdio' as const, ...program };
  return createHost({ config: { version: 1, servers: { agent: trusted(agent) } }, ...options });
}

interface Wire extends AsyncDisposable {
  ask(message: object): Promise<Record<string, unknown>>;
  raw(line: string): void;
  next(): Promise<Record<string, unknown>>;
}

/** Lines in, lines out. */
function openWire(home: Home, model: ScriptedModel): Wire {
  const child = spawn(process.execPath, words(model), {
    cwd: home.project,
    env: home.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Record<string, unknown>> => JSON.parse((await lines.next()).value ?? '');
  return {
    next,
    raw: line => child.stdin.write(`${line}\n`),
    ask: message => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      return next();
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

const hello = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

promise(
  ['4.5a', '4.5d', '4.5g', '8.17a'],
  'mcp-server answers on stdio: greeting, ping, lists, and the four errors',
  async () => {
    await using home = await makeHome();
    await using model = await startModel();
    await using wire = openWire(home, model);
    expect(await wire.ask(hello)).toMatchObject({
      result: {
        serverInfo: { name: 'junctor', version: expect.stringMatching(/^\d/) },
        capabilities: { tools: {}, resources: {}, prompts: {}, experimental: { 'codex/sandbox-state': {} } },
      },
    });
    expect(await wire.ask({ id: 2, method: 'ping' })).toMatchObject({ result: {} });
    expect(await wire.ask({ id: 3, method: 'tools/list' })).toMatchObject({
      result: { tools: [{ name: 'junctor' }, { name: 'junctor-reply' }] },
    });
    expect(await wire.ask({ id: 4, method: 'resources/list' })).toMatchObject({ result: { resources: [] } });
    expect(await wire.ask({ id: 5, method: 'prompts/list' })).toMatchObject({
      result: { prompts: [{ name: 'ask-junctor' }, { name: 'review-changes' }] },
    });
    const call = (id: number, name: string, args: object) =>
      wire.ask({ id, method: 'tools/call', params: { name, arguments: args } });
    model.say({ text: 'through the call' });
    // First that there is one more to read, then the answer.
    expect(await call(6, 'junctor', { prompt: 'hi' })).toMatchObject({
      method: 'notifications/resources/list_changed',
    });
    expect(await wire.next()).toMatchObject({
      result: { structuredContent: { response: 'through the call' } },
    });
    const code = async (answer: Promise<Record<string, unknown>>) =>
      ((await answer).error as { code: number } | undefined)?.code;
    expect(await code(wire.ask({ id: 7 }))).toBe(-32600);
    expect(await code(wire.ask({ id: 8, method: 'no/such' }))).toBe(-32601);
    expect(await code(call(9, 'junctor', {}))).toBe(-32602);
    expect(await code(call(10, 'junctor-reply', { session_id: 'nobody', message: 'x' }))).toBe(-32602);
    // What a conversation is kept in cannot be written: nothing the caller did wrong.
    await rm(join(home.data, 'chat'), { recursive: true });
    await home.write('data/chat', 'a file in place of the folder');
    model.say({ text: 'lost' });
    expect(await code(call(11, 'junctor', { prompt: 'hi' }))).toBe(-32603);
  },
);

promise(
  ['4.5b', '4.5c', '4.5h'],
  'a conversation begins, goes on, survives a restart and can be read, in both eras',
  async () => {
    for (const era of ['legacy', 'modern'] as const) {
      await using home = await makeHome();
      await using model = await startModel([{ text: 'Noted.' }, { text: 'Blue.' }, { text: 'Still blue.' }]);
      let id: string;
      {
        await using host = await hostFor(home, model, { era });
        const first = await host.call('mcp__agent__junctor', { prompt: 'my colour is blue' });
        expect(first.data).toEqual({ session_id: expect.any(String), response: 'Noted.' });
        ({ session_id: id } = first.data as { session_id: string });
        expect(first.output).toBe(`Noted.\nsession_id: ${id} (for junctor-reply)`);
        const second = await host.call('mcp__agent__junctor-reply', { session_id: id, message: 'which?' });
        expect(second.data).toEqual({ response: 'Blue.' });
      }
      await using host = await hostFor(home, model, { era });
      const third = await host.call('mcp__agent__junctor-reply', { session_id: id, message: 'sure?' });
      expect(third.data).toEqual({ response: 'Still blue.' });
      expect(JSON.stringify(model.requests[2]?.body.messages)).toMatch(/my colour is blue[\s\S]*Blue\.[\s\S]*sure\?/);
      const { contents } = await host.readResource('agent', `junctor://sessions/${id}`);
      expect(contents[0]?.text).toMatch(/user: my colour is blue[\s\S]*assistant: Noted\./);
    }
  },
);

promise('4.5i', 'without a model mcp-server says how it gets one', async () => {
  await using home = await makeHome();
  const { stderr, code } = await junctor(home, ['mcp-server']);
  expect(code).toBe(3);
  expect(stderr).toMatch(/the agent needs one[\s\S]*junctor mcp-server --model[\s\S]*junctor mcp-server --base-url/);
  expect(stderr).not.toMatch(/chat/);
});

promise(['4.5e', '4.5f'], 'progress comes while it works, and cancelling ends the run and its calls', async () => {
  await using home = await makeHome();
  await withServers(home, { demo: trusted(testServer()) });
  await using model = await startModel([
    { calls: [{ name: 'mcp__demo__echo', args: { text: 'hi' } }] },
    { text: 'done' },
    { text: 'I never', hangs: true },
  ]);
  await using host = await hostFor(home, model);
  const heard: unknown[] = [];
  await host.call('mcp__agent__junctor', { prompt: 'work' }, { onProgress: ({ message }) => heard.push(message) });
  expect(heard).toEqual(expect.arrayContaining(['calls demo echo', 'demo echo ended']));
  const giveUp = new AbortController();
  const call = host.call('mcp__agent__junctor', { prompt: 'for ever' }, { signal: giveUp.signal });
  await expect.poll(() => model.requests.length, { timeout: 15_000 }).toBe(3);
  giveUp.abort();
  await expect(call).rejects.toMatchObject({ code: 'cancelled' });
  // The model is no longer asked.
  expect(await model.requests[2]?.over).toBe('left');
});

test('permission goes to the caller by elicitation in both eras, and by policy where it cannot be asked', async () => {
  for (const era of ['legacy', 'modern'] as const) {
    await using home = await makeHome();
    await withServers(home, { demo: testServer() });
    const script = [{ calls: [{ name: 'mcp__demo__echo', args: { text: 'hi' } }] }, { text: 'so' }];
    await using model = await startModel([...script, ...script]);
    {
      const asked: string[] = [];
      await using host = await hostFor(home, model, {
        era,
        elicit: async ({ message }) => {
          asked.push(message);
          return { action: 'accept', content: { decision: 'once' } };
        },
      });
      const result = await host.call('mcp__agent__junctor', { prompt: 'go' });
      expect(result).toMatchObject({ success: true, data: { response: 'so' } });
      expect(asked).toEqual([expect.stringMatching(/May Junctor call 'echo' on server 'demo'\?.*\ntext: hi/)]);
      expect(JSON.stringify(model.requests[1]?.body.messages)).toMatch(/"role":"tool"[\s\S]*\\nhi\\n/);
    }
    await using host = await hostFor(home, model, { era });
    await host.call('mcp__agent__junctor', { prompt: 'go' });
    expect(JSON.stringify(model.requests[3]?.body.messages)).toMatch(/needs approval, and nobody can be asked/);
  }
});

promise('12.6i', 'the caller can read all of a long argument before it answers, in both eras', async () => {
  for (const era of ['legacy', 'modern'] as const) {
    await using home = await makeHome();
    await withServers(home, { demo: testServer() });
    const text = `${'harmless '.repeat(200)}; rm -rf / #the end`;
    await using model = await startModel([{ calls: [{ name: 'mcp__demo__echo', args: { text } }] }, { text: 'so' }]);
    const asked: string[] = [];
    await using host = await hostFor(home, model, {
      era,
      elicit: async ({ message }) => {
        asked.push(message);
        return { action: 'accept', content: { decision: asked.length === 1 ? 'show' : 'once' } };
      },
    });
    expect(await host.call('mcp__agent__junctor', { prompt: 'go' })).toMatchObject({ data: { response: 'so' } });
    expect(asked).toEqual([
      expect.stringMatching(/text: harmless .*characters left out\) ….*; rm -rf \/ #the end$/),
      expect.stringContaining(`text: ${text}`),
    ]);
    expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('#the end');
  }
});

test('ten conversations at once', async () => {
  await using home = await makeHome();
  const numbers = Array.from({ length: 10 }, (_, index) => index);
  const echo = ({ body }: { body: Readonly<Record<string, unknown>> }) => ({
    text: /number \d/.exec(JSON.stringify(body.messages))?.[0] ?? '',
  });
  await using model = await startModel(numbers.map(() => echo));
  await using host = await hostFor(home, model);
  const replies = await Promise.all(
    numbers.map(number => host.call('mcp__agent__junctor', { prompt: `number ${number}` })),
  );
  expect(replies.map(({ data }) => (data as { response: string }).response)).toEqual(
    numbers.map(number => `number ${number}`),
  );
  expect(new Set(replies.map(({ data }) => (data as { session_id: string }).session_id)).size).toBe(10);
});

test('the sandbox state of the client reaches the servers of the agent', async () => {
  await using home = await makeHome();
  await withServers(home, { demo: trusted(testServer('--sandbox-state')) });
  await using model = await startModel([{ calls: [{ name: 'mcp__demo__sandbox_state', args: {} }] }, { text: 'seen' }]);
  await using host = await hostFor(home, model, {
    sandboxState: { sandboxPolicy: { type: 'read-only' }, sandboxCwd: home.project },
  });
  await host.call('mcp__agent__junctor', { prompt: 'which sandbox?' });
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('read-only');
});
