import type { Elicitation, Question } from '@junctor/core';
import { everything, promise, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { type Asked, asking, hostFor, peer } from './asking-host.ts';

/** The same questions to a server of each era. What a server of the older one gets is told with its error. */
const ERAS = [
  ['2025-11-25', asking()],
  ['2026-07-28', peer('asking-modern')],
] as const;

/** What the server got for its question, whichever era it speaks. */
const resultOf = (answer: unknown): unknown => (answer as { result?: unknown }).result ?? answer;

describe.each(ERAS)('a server of %s', (era, server) => {
  const isOld = era === '2025-11-25';

  promise('2.13a', 'gets the configured roots', async () => {
    const roots = [{ uri: 'file:///project', name: 'the project' }, { uri: 'file:///notes' }];
    await using known = await hostFor(server, { roots });
    expect(resultOf(await known.ask('roots/list'))).toEqual({ roots });
    await using worked = await hostFor(server, { roots: id => [{ uri: `file:///for/${id}` }] });
    expect(resultOf(await worked.ask('roots/list'))).toEqual({ roots: [{ uri: 'file:///for/x' }] });
  });

  promise('2.13b', 'is answered through the agent’s model', async () => {
    const asked: unknown[] = [];
    await using fixture = await hostFor(trusted(server), {
      sample: (request, { server: id }) => {
        asked.push({ request, id });
        return { model: 'little-model', content: { type: 'text', text: 'hello you' }, stopReason: 'endTurn' };
      },
    });
    const request = {
      messages: [{ role: 'user', content: { type: 'text', text: 'say hello' } }],
      systemPrompt: 'be kind',
      maxTokens: 50,
    };
    expect(resultOf(await fixture.ask('sampling/createMessage', request))).toEqual({
      role: 'assistant',
      model: 'little-model',
      content: { type: 'text', text: 'hello you' },
      stopReason: 'endTurn',
    });
    expect(asked).toEqual([{ request, id: 'x' }]);
  });

  promise('2.13c', 'gets the model only with permission, and else a proper error', async () => {
    const request = { messages: [{ role: 'user', content: { type: 'text', text: 'spend money' } }], maxTokens: 5 };
    let written = 0;
    const sample = () => ({ model: 'm', content: { type: 'text', text: `number ${++written}` } });
    const refused = async ({ ask }: Asked, message: string) => {
      if (isOld) {
        const error = { code: -1, message: `MCP error -1: ${message}` };
        expect(await ask('sampling/createMessage', request)).toEqual({ error });
      } else {
        // There a call stands still for its inputs: it cannot go on without them.
        await expect(ask('sampling/createMessage', request)).rejects.toMatchObject({
          code: 'permission_denied',
          why: message,
        });
      }
    };
    const questions: Question[] = [];
    let yes = false;
    await using asked = await hostFor(server, {
      sample,
      ask: async question => {
        questions.push(question);
        return yes;
      },
    });
    await refused(asked, 'The user refused the sampling request.');
    expect([written, questions]).toEqual([
      0,
      [
        {
          server: 'x',
          tool: 'sampling/createMessage',
          args: request,
          because: "server 'x' wants your model to write something, and is not trusted",
        },
      ],
    ]);
    yes = true;
    expect(resultOf(await asked.ask('sampling/createMessage', request))).toMatchObject({ model: 'm' });
    await using nobody = await hostFor(server, { sample });
    await refused(nobody, 'The user refused the sampling request.');
    expect(written).toBe(1);
  });

  promise('2.13d', 'has the person asked, and gets their answer, decline or cancel', async () => {
    const questions: (Elicitation & { by: string })[] = [];
    const answers = [
      { action: 'accept', content: { name: 'Ada' } },
      { action: 'decline' },
      { action: 'cancel' },
    ] as const;
    await using fixture = await hostFor(server, {
      elicit: (question, { server: by }) => {
        questions.push({ ...question, by });
        return answers[questions.length - 1] ?? { action: 'accept' };
      },
    });
    const form = {
      message: 'Who are you?',
      requestedSchema: {
        type: 'object',
        properties: { name: { type: 'string' }, colour: { type: 'string', enum: ['red', 'blue'], default: 'blue' } },
        required: ['name'],
      },
    };
    const said = async (params: object) => resultOf(await fixture.ask('elicitation/create', params));
    expect(await said(form)).toEqual({ action: 'accept', content: { name: 'Ada', colour: 'blue' } });
    expect(await said(form)).toEqual({ action: 'decline' });
    expect(await said(form)).toEqual({ action: 'cancel' });
    const id = isOld ? { elicitationId: 'e1' } : {};
    const page = { mode: 'url', message: 'Please sign in', url: 'https://example.com/in', ...id };
    expect(await said(page)).toEqual({ action: 'accept' });
    expect(questions.map(({ mode, message, by }) => ({ mode, message, by }))).toEqual([
      { mode: 'form', message: 'Who are you?', by: 'x' },
      { mode: 'form', message: 'Who are you?', by: 'x' },
      { mode: 'form', message: 'Who are you?', by: 'x' },
      { mode: 'url', message: 'Please sign in', by: 'x' },
    ]);
    expect(questions[3]).toMatchObject({ url: 'https://example.com/in', holdsCall: false, ...id });
  });

  promise(['2.13f', '2.11h'], 'has its log messages in the log, from the level that was asked for', async () => {
    const logging = isOld ? asking({ logging: {} }) : server;
    await using fixture = await hostFor(logging, { serverLogLevel: 'warning' });
    const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
    for (const level of levels) {
      const params = { level, logger: 'disk', data: `it is ${level}` };
      await fixture.call('say', { method: 'notifications/message', params });
    }
    const wanted = levels.slice(3);
    expect(fixture.events.filter(({ type }) => type === 'log-message')).toEqual(
      wanted.map(level => ({ type: 'log-message', server: 'x', level, logger: 'disk', data: `it is ${level}` })),
    );
    const logged = fixture.lines.filter(line => line.includes('a server logs'));
    expect(logged.map(line => line.slice(0, line.indexOf(':')))).toEqual(['WARN', 'ERROR', 'ERROR', 'ERROR', 'ERROR']);
    expect(logged[0]).toBe(
      'WARN: a server logs {"server":"x","server_level":"warning","logger":"disk","text":"it is warning"}',
    );
    // The server was told, in the way of its era.
    if (isOld)
      expect(await fixture.call('heard')).toContainEqual({ method: 'logging/setLevel', params: { level: 'warning' } });
    else expect(await fixture.call('level')).toBe('warning');
  });

  test('that nobody answers to is told so, and was told so from the beginning', async () => {
    await using fixture = await hostFor(server);
    const methods = ['roots/list', 'sampling/createMessage', 'elicitation/create'];
    for (const method of methods) {
      if (isOld) expect(await fixture.ask(method)).toMatchObject({ error: { code: -32601 } });
      // The SDK itself keeps a server from asking what the client cannot answer.
      else await expect(fixture.ask(method)).rejects.toMatchObject({ code: 'server_error', cause: { code: -32021 } });
    }
  });
});

test('the published test server asks for roots, a form, a page and a model, and is content', async () => {
  await using fixture = await hostFor(trusted(everything()), {
    roots: [{ uri: 'file:///project', name: 'the project' }],
    elicit: ({ mode }) => (mode === 'form' ? { action: 'accept', content: { name: 'Ada' } } : { action: 'accept' }),
    sample: () => ({ model: 'little-model', content: { type: 'text', text: 'hello' } }),
  });
  const output = async (tool: string, args: object = {}) =>
    (await fixture.host.call({ server: 'x', tool }, args)).output;
  // It offers these tools once it knows what the client can do.
  const tools = async () => (await fixture.host.tools()).map(({ tool }) => tool);
  await expect.poll(tools, { timeout: 20_000 }).toContain('get-roots-list');
  expect(await output('get-roots-list')).toContain('URI: file:///project');
  const filled = await output('trigger-elicitation-request');
  expect(filled).toContain('"name": "Ada"');
  expect(filled).toContain('"titledMultipleSelectEnum": [\n      "fish-1"\n    ]');
  expect(await output('trigger-url-elicitation', { url: 'https://example.com' })).toContain('"action": "accept"');
  expect(await output('trigger-url-elicitation', { url: 'https://example.com/2', errorPath: true })).toContain('✅');
  expect(await output('trigger-sampling-request', { prompt: 'hi' })).toContain('"model": "little-model"');
});
