import { promise, trusted } from '@junctor/testkit';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { asking, hostFor } from './asking-host.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('a server of 2025-11-25', () => {
  promise('2.13e', 'is answered when it pings', async () => {
    await using fixture = await hostFor(asking());
    expect(await fixture.ask('ping')).toEqual({ result: {} });
  });

  test('hears what the host can do, and nothing more', async () => {
    const elicit = () => ({ action: 'cancel' }) as const;
    const sample = () => ({ model: 'm', content: { type: 'text' } });
    const extensions = { 'io.modelcontextprotocol/tasks': {} };
    await using none = await hostFor(asking());
    expect(await none.call('client')).toEqual({ extensions });
    await using all = await hostFor(asking(), { roots: [], elicit, sample, sampling: { tools: true } });
    expect(await all.call('client')).toEqual({
      extensions,
      roots: { listChanged: true },
      sampling: { tools: {} },
      elicitation: { form: {}, url: {} },
    });
  });

  test('hears that the roots changed', async () => {
    await using fixture = await hostFor(asking(), { roots: [] });
    expect(await fixture.ask('roots/list')).toEqual({ result: { roots: [] } });
    fixture.host.setRoots([{ uri: 'file:///new' }]);
    expect(await fixture.ask('roots/list')).toEqual({ result: { roots: [{ uri: 'file:///new' }] } });
    expect(await fixture.call('heard')).toContainEqual({ method: 'notifications/roots/list_changed' });
    expect(() => fixture.host.setRoots([{ uri: '/not/a/url' }])).toThrow("The root '/not/a/url' is not a file: URL.");
    await using without = await hostFor(asking());
    expect(() => without.host.setRoots([])).toThrow('told its servers that it knows no roots');
  });

  test('is not sent an answer that does not fit its form; the program is told', async () => {
    await using fixture = await hostFor(asking(), { elicit: () => ({ action: 'accept', content: { age: -1 } }) });
    const properties = { age: { type: 'integer', minimum: 0 }, name: { type: 'string' } };
    const form = { message: '?', requestedSchema: { type: 'object', properties, required: ['name'] } };
    expect(await fixture.ask('elicitation/create', form)).toEqual({ result: { action: 'cancel' } });
    const failed = fixture.events.find(({ type }) => type === 'answer-failed');
    expect(failed).toMatchObject({
      server: 'x',
      method: 'elicitation/create',
      error: { code: 'usage', why: "'age' is less than 0; 'name' is missing" },
    });
    expect(fixture.lines.filter(line => line.startsWith('ERROR: a server got no answer'))).toHaveLength(1);
  });

  test('learns nothing of what went wrong inside', async () => {
    const elicit = () => {
      throw new Error('password of the database: hunter2');
    };
    await using fixture = await hostFor(asking(), { elicit });
    const form = { message: '?', requestedSchema: { type: 'object', properties: {} } };
    expect(await fixture.ask('elicitation/create', form)).toEqual({
      error: { code: -32603, message: 'MCP error -32603: The client failed to answer.' },
    });
    expect(fixture.events.find(({ type }) => type === 'answer-failed')).toMatchObject({
      error: { message: 'password of the database: hunter2' },
    });
  });

  test('that asks in a way nobody can answer is told so', async () => {
    const never = () => {
      throw new Error('nobody should be asked');
    };
    const form = { message: '?', requestedSchema: { type: 'object', properties: {} } };
    const page = { mode: 'url', message: '?', elicitationId: 'e' };
    await using fixture = await hostFor(trusted(asking()), { elicit: never, sample: never });
    for (const [method, params] of [
      ['elicitation/create', { message: '?' }],
      ['elicitation/create', { ...form, message: 7 }],
      ['elicitation/create', { ...form, mode: 'telepathy' }],
      ['elicitation/create', { ...form, requestedSchema: { type: 'object', properties: { x: { type: 'object' } } } }],
      ['elicitation/create', { ...form, message: 'x'.repeat(300_000) }],
      ['elicitation/create', { ...page, url: 'javascript:alert(1)' }],
      ['elicitation/create', { ...page, url: 'file:///etc/passwd' }],
      ['sampling/createMessage', { messages: 'hello', maxTokens: 5 }],
      ['sampling/createMessage', { messages: [] }],
      ['sampling/createMessage', { messages: [], maxTokens: 5, tools: [] }],
      ['sampling/createMessage', { messages: [], maxTokens: 5, systemPrompt: 'x'.repeat(9_000_000) }],
    ] as const) {
      expect(await fixture.ask(method, params)).toMatchObject({ error: { code: -32602 } });
    }
  });

  test('has so many questions answered at once and no more', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    await using fixture = await hostFor(trusted(asking()), {
      sample: async () => {
        await opened;
        return { model: 'm', content: { type: 'text', text: 'late' } };
      },
    });
    const request = { messages: [], maxTokens: 1 };
    let refused = 0;
    const codeOf = async (): Promise<number | undefined> => {
      const { error } = (await fixture.ask('sampling/createMessage', request)) as { error?: { code: number } };
      // Nobody is answered before two were refused.
      if (error && ++refused === 2) open();
      return error?.code;
    };
    const codes = await Promise.all(Array.from({ length: 6 }, codeOf));
    expect(codes.sort()).toEqual([-1, -1, undefined, undefined, undefined, undefined]);
  });

  test('may wait for a person longer than it may be silent', async () => {
    // The person's time is the only one that passes.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'hrtime'] });
    const slow = { ...asking(), tool_idle_timeout_ms: 800 };
    await using fixture = await hostFor(slow, {
      elicit: async () => {
        await vi.advanceTimersByTimeAsync(1500);
        return { action: 'decline' };
      },
    });
    const form = { message: '?', requestedSchema: { type: 'object', properties: {} } };
    expect(await fixture.ask('elicitation/create', form)).toEqual({ result: { action: 'decline' } });
  });

  test('can take its question back, as when the call it belongs to is cancelled', async () => {
    const { promise: withdrawn, resolve } = Promise.withResolvers<void>();
    const abort = new AbortController();
    await using fixture = await hostFor(asking(), {
      elicit: (_question, { signal }) => {
        signal.addEventListener('abort', () => resolve());
        abort.abort();
        return new Promise(() => {});
      },
    });
    const form = { message: '?', requestedSchema: { type: 'object', properties: {} } };
    const args = { method: 'elicitation/create', params: form };
    const call = fixture.host.call({ server: 'x', tool: 'ask' }, args, { signal: abort.signal });
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await withdrawn;
  });
});
