import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHost, type Host, type HostOptions, type McpServerInput } from '@junctor/core';
import { everything, makeHome, promise, ROOT, testServer, trusted } from '@junctor/testkit';
import { serveHttp, serveWs } from '@junctor/testkit/test-server';
import { describe, expect, test } from 'vitest';

const peer = (name: string) => ({
  transport: 'stdio',
  command: process.execPath,
  args: [join(ROOT, 'e2e', 'connections', 'peers', `${name}.ts`)],
});

async function hostFor(server: object, options: HostOptions = {}): Promise<AsyncDisposable & { host: Host }> {
  const home = await makeHome();
  const config = { version: 1, servers: { x: trusted(server as McpServerInput) } } as const;
  const host = await createHost({ config, data: home.data, ...options });
  return {
    host,
    async [Symbol.asyncDispose]() {
      await host.close();
      await home[Symbol.asyncDispose]();
    },
  };
}

const work = { server: 'x', tool: 'work' };

describe('a call that a server of 2025-11-25 runs as a task', () => {
  promise('2.13g', 'is followed to its result, whether the tools were listed or not', async () => {
    await using fixture = await hostFor(peer('tasks'));
    const { host } = fixture;
    const told: unknown[] = [];
    const onProgress = ({ message }: { message?: string }) => told.push(message);
    const first = await host.call(work, { ms: 120 }, { onProgress });
    expect([first.success, first.output, told]).toEqual([true, 'worked 120 ms', ['half way']]);
    expect((await host.call('mcp__x__work', { ms: 0 })).output).toBe('worked 0 ms');
    expect(await states(host)).toEqual(['completed', 'completed']);
  });

  promise('2.13g', 'is cancelled with the task, at any moment', async () => {
    await using fixture = await hostFor(peer('tasks'));
    const { host } = fixture;
    const running = new AbortController();
    const call = host.call(work, { ms: 60_000 }, { signal: running.signal, onProgress: () => running.abort() });
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await expect.poll(() => states(host)).toEqual(['cancelled']);
    // While the server has not even said that it runs as a task.
    const early = new AbortController();
    const second = host.call(work, { ms: 60_000 }, { signal: early.signal });
    await sleep(0);
    early.abort();
    await expect(second).rejects.toMatchObject({ code: 'cancelled' });
    await expect.poll(() => states(host)).toEqual(['cancelled', 'cancelled']);
  });

  promise('2.13g', 'fails as the task fails', async () => {
    await using fixture = await hostFor(peer('tasks'));
    const { host } = fixture;
    expect(await host.call(work, { ms: 0, how: 'failing' })).toMatchObject({ success: false, error: 'no luck' });
    await expect(host.call(work, { ms: 0, how: 'broken' })).rejects.toMatchObject({
      code: 'server_error',
      message: "Server 'x' refused tools/call: the disk is full",
    });
  });

  test('may ask the person something meanwhile', async () => {
    await using fixture = await hostFor(peer('tasks'), {
      elicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
    });
    const { output } = await fixture.host.call(work, { ms: 0, how: 'asking' });
    expect(output).toBe('worked 0 ms for Ada');
  });

  test('is a task only where the tool must be one, or where the caller wants one', async () => {
    await using fixture = await hostFor(peer('tasks'));
    const { host } = fixture;
    const maybe = { server: 'x', tool: 'maybe' };
    expect((await host.call(maybe, { ms: 0 })).output).toBe('worked at once');
    expect((await host.call(maybe, { ms: 0 }, { asTask: true })).output).toBe('worked 0 ms');
    // It is to be kept for no longer than a day.
    const { output } = await host.call({ server: 'x', tool: 'states' });
    expect(JSON.parse(output)).toEqual([{ status: 'completed', ttl: 24 * 60 * 60_000 }]);
  });

  test('ends with the host', async () => {
    await using fixture = await hostFor(peer('tasks'));
    const { host } = fixture;
    const begun = Promise.withResolvers<void>();
    const call = host.call(work, { ms: 60_000 }, { onProgress: () => begun.resolve() });
    const failed = expect(call).rejects.toMatchObject({ code: 'connection_lost' });
    await begun.promise;
    await host.close();
    await failed;
  });

  test('is given up when it takes longer than calls may', async () => {
    // Long enough for the server to say that it runs as a task.
    await using fixture = await hostFor({ ...peer('tasks'), tool_timeouts_ms: { work: 2000 } });
    await expect(fixture.host.call(work, { ms: 60_000 })).rejects.toMatchObject({ code: 'timeout' });
    await expect.poll(() => states(fixture.host)).toEqual(['cancelled']);
  });

  test('is not made again where the server has forgotten whom it runs for', async () => {
    await using server = await forgetfulServer();
    await using fixture = await hostFor({ transport: 'http', url: server.url, protocol: 'legacy' });
    await expect(fixture.host.call(work, {})).rejects.toMatchObject({ code: 'connection_lost', outcome: 'unknown' });
    expect(server.calls()).toBe(1);
  });

  test('of the published test server gives its report, and asks in between', async () => {
    const asked: string[] = [];
    await using fixture = await hostFor(everything(), {
      elicit: question => {
        asked.push(question.message);
        return { action: 'accept', content: { interpretation: 'snake' } };
      },
    });
    const research = { server: 'x', tool: 'simulate-research-query' };
    const tools = async () => (await fixture.host.tools()).map(({ tool }) => tool);
    await expect.poll(tools, { timeout: 20_000 }).toContain(research.tool);
    const { output } = await fixture.host.call(research, { topic: 'python', ambiguous: true });
    expect(output).toContain('# Research Report: python (snake)');
    expect(asked).toHaveLength(1);
  }, 60_000);
});

describe('a call that a server of 2026-07-28 runs as a task', () => {
  promise('2.13g', 'is followed to its result', async () => {
    await using fixture = await hostFor(peer('tasks-modern'));
    expect(await fixture.host.call(work, { ms: 50 })).toMatchObject({ success: true, output: 'worked' });
    expect(await fixture.host.call(work, { how: 'failing' })).toMatchObject({ success: false, error: 'no luck' });
    await expect(fixture.host.call(work, { how: 'broken' })).rejects.toMatchObject({
      code: 'server_error',
      message: "Server 'x' refused tools/call: the disk is full",
    });
    await expect(fixture.host.call(work, { how: 'dropped' })).rejects.toMatchObject({
      code: 'cancelled',
      why: 'no time for this',
    });
  });

  promise('2.13g', 'is cancelled with the task', async () => {
    await using fixture = await hostFor(peer('tasks-modern'));
    const { host } = fixture;
    const abort = new AbortController();
    const call = host.call(work, { ms: 60_000 }, { signal: abort.signal });
    await expect.poll(() => heard(host)).toContain('tasks/get task-1');
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await expect.poll(() => heard(host)).toContain('tasks/cancel task-1');
  });

  test('gets the inputs it asks for, each once', async () => {
    let asked = 0;
    await using fixture = await hostFor(peer('tasks-modern'), {
      roots: [{ uri: 'file:///here' }],
      elicit: () => ({ action: 'accept', content: { name: `Ada ${++asked}` } }),
    });
    const { output } = await fixture.host.call(work, { how: 'asking' });
    expect(JSON.parse(output)).toEqual({
      name: { action: 'accept', content: { name: 'Ada 1' } },
      roots: { roots: [{ uri: 'file:///here' }] },
    });
    expect((await heard(fixture.host)).filter(line => line.startsWith('tasks/update'))).toHaveLength(1);
  });

  test('that nobody can answer is cancelled', async () => {
    await using fixture = await hostFor(peer('tasks-modern'));
    await expect(fixture.host.call(work, { how: 'asking' })).rejects.toMatchObject({ code: 'input_required' });
    expect(await heard(fixture.host)).toContain('tasks/cancel task-1');
  });
});

describe.each(['stdio', 'http', 'ws'] as const)('over %s', transport => {
  test.each(['legacy', 'modern'] as const)('the test server of the %s era runs a call as a task', async era => {
    await using server = await testServerOver(transport, era);
    await using fixture = await hostFor(server.definition);
    const slow = { server: 'x', tool: 'task_slow' };
    const options = { asTask: true };
    expect((await fixture.host.call(slow, { ms: 10 }, options)).output).toBe('waited 10 ms');
    const signal = AbortSignal.timeout(100);
    await expect(fixture.host.call(slow, {}, { ...options, signal })).rejects.toMatchObject({ code: 'cancelled' });
  });
});

async function testServerOver(
  transport: 'stdio' | 'http' | 'ws',
  era: 'legacy' | 'modern',
): Promise<AsyncDisposable & { definition: object }> {
  if (transport === 'stdio') return { definition: testServer('--era', era), async [Symbol.asyncDispose]() {} };
  const server = await (transport === 'http' ? serveHttp : serveWs)(0, { era });
  return { definition: { transport, url: server.url }, [Symbol.asyncDispose]: () => server.close() };
}

/** Takes a task, and ends the session when it is asked about it. */
async function forgetfulServer(): Promise<AsyncDisposable & { url: string; calls: () => number }> {
  let calls = 0;
  const tasks = { cancel: {}, requests: { tools: { call: {} } } };
  const results: Record<string, () => object> = {
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, tasks },
      serverInfo: { name: 'f', version: '1' },
    }),
    'tools/list': () => ({
      tools: [{ name: 'work', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }],
    }),
    'tools/call': () => ({ task: { taskId: `task-${++calls}`, status: 'working', pollInterval: 10 } }),
  };
  const http = createServer(async (request, response) => {
    const body = await new Response(request as never).text();
    const { id, method = '' } = body ? JSON.parse(body) : {};
    if (id === undefined) return response.writeHead(request.method === 'POST' ? 202 : 405).end();
    const result = results[method]?.();
    if (!result) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    calls: () => calls,
    async [Symbol.asyncDispose]() {
      await new Promise(resolve => http.close(resolve).closeAllConnections());
    },
  };
}

async function states(host: Host): Promise<string[]> {
  const { output } = await host.call({ server: 'x', tool: 'states' });
  return JSON.parse(output).map(({ status }: { status: string }) => status);
}

async function heard(host: Host): Promise<string[]> {
  return JSON.parse((await host.call({ server: 'x', tool: 'heard' })).output);
}
