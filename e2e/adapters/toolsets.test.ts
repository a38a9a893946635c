import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { aiTools } from '@junctor/adapters/ai-sdk';
import { anthropicTools } from '@junctor/adapters/anthropic';
import { geminiTools } from '@junctor/adapters/gemini';
import { openaiResponsesTools, openaiTools, type ToolboxOptions } from '@junctor/adapters/openai';
import type { Host } from '@junctor/core';
import { promise, testServer, trusted } from '@junctor/testkit';
import { generateText, isStepCount, jsonSchema, type ToolSet, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { playing } from './scene.ts';

const two = { servers: { one: trusted(testServer()), two: trusted(testServer()) } };
const parameters = { type: 'object', properties: {} } as const;

/** Every adapter: the names it offers beside native tools, and the words that come back from a call. */
const ADAPTERS = {
  'AI SDK': async (host: Host, options: ToolboxOptions, ...own: string[]) => {
    const entries = own.map(name => [name, tool({ inputSchema: jsonSchema(parameters) })]);
    const native: ToolSet = Object.fromEntries(entries);
    const { tools } = await aiTools(host, { ...options, native });
    const given = { toolCallId: 'call_1', messages: [], context: {} };
    return {
      names: Object.keys(tools),
      answers: (name: string) => tools[name]?.execute !== undefined,
      async call(name: string, args: object) {
        let last: unknown;
        const running = tools[name]?.execute?.(args, given) as AsyncIterable<unknown>;
        for await (const output of running) last = output;
        return last;
      },
    };
  },
  'OpenAI Chat Completions': async (host: Host, options: ToolboxOptions, ...own: string[]) => {
    const native = own.map(name => ({
      type: 'function' as const,
      function: { name, description: 'Own.', parameters },
    }));
    const { tools, has, run } = await openaiTools(host, { ...options, native });
    const callOf = (name: string, args = {}) => ({ id: '1', function: { name, arguments: JSON.stringify(args) } });
    return {
      names: tools.map(one => one.function.name),
      answers: (name: string) => has(callOf(name)),
      call: (name: string, args: object) => run(callOf(name, args)),
    };
  },
  'OpenAI Responses': async (host: Host, options: ToolboxOptions, ...own: string[]) => {
    const native = own.map(name => ({ type: 'function' as const, name, parameters, strict: false }));
    const { tools, has, run } = await openaiResponsesTools(host, { ...options, native });
    const callOf = (name: string, args = {}) => ({ call_id: '1', name, arguments: JSON.stringify(args) });
    return {
      names: tools.map(one => ('name' in one ? one.name : one.type)),
      answers: (name: string) => has(callOf(name)),
      call: (name: string, args: object) => run(callOf(name, args)),
    };
  },
  'Anthropic Messages': async (host: Host, options: ToolboxOptions, ...own: string[]) => {
    const native = own.map(name => ({ name, input_schema: parameters }));
    const { tools, has, run } = await anthropicTools(host, { ...options, native });
    return {
      names: tools.map(({ name }) => name),
      answers: (name: string) => has({ id: '1', name, input: {} }),
      call: (name: string, input: object) => run({ id: '1', name, input }),
    };
  },
  Gemini: async (host: Host, options: ToolboxOptions, ...own: string[]) => {
    const native = own.map(name => ({ name, description: 'Own.', parameters }));
    const { tools, has, run } = await geminiTools(host, { ...options, native });
    return {
      names: tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name)),
      answers: (name: string) => has({ name }),
      call: (name: string, args: object) => run({ name, args: { ...args } }),
    };
  },
};

describe.each(Object.entries(ADAPTERS))('%s', (name, open) => {
  promise('3.6c', `gives the tools of one server, or of all (${name})`, async () => {
    await using scene = await playing([], two);
    const serversOf = (names: readonly string[]) => [...new Set(names.flatMap(one => one.split('__')[1] ?? []))];
    const all = await open(scene.host, {});
    const one = await open(scene.host, { servers: ['two'] });
    expect([serversOf(all.names), serversOf(one.names)]).toEqual([['one', 'two'], ['two']]);
    expect(all.names).toEqual(expect.arrayContaining(one.names));
    await expect(open(scene.host, { servers: ['tow'] })).rejects.toMatchObject({ code: 'server_unknown' });
  });

  promise('3.6d', `keeps native tools and those of servers apart, both callable (${name})`, async () => {
    await using scene = await playing([], two);
    const { names, answers, call } = await open(scene.host, {}, 'mcp__one__echo', 'search');
    expect(names.slice(0, 2)).toEqual(['mcp__one__echo', 'search']);
    expect(new Set(names).size).toBe(names.length);
    const renamed = names.filter(one => /^mcp__one__echo_[0-9a-f]{8}$/.test(one));
    expect(renamed).toHaveLength(1);
    const [other = ''] = renamed;
    expect(JSON.stringify(await call(other, { text: 'from the server' }))).toContain('from the server');
    expect(['mcp__one__echo', 'search', other, 'mcp__two__echo'].map(answers)).toEqual([false, false, true, true]);
    // The same name in every run, and whatever else is native.
    expect((await open(scene.host, {}, 'mcp__one__echo')).names).toContain(other);
  });

  test('refuses native tools with the name of another, where the program wants that', async () => {
    await using scene = await playing([], two);
    await expect(open(scene.host, { collisions: 'refuse' }, 'mcp__two__pid')).rejects.toMatchObject({
      code: 'name_taken',
      message: "Two tools would be called 'mcp__two__pid'.",
      why: "one is a native tool, the other is 'pid' of server 'two'",
    });
    expect((await open(scene.host, { collisions: 'refuse' }, 'pid')).names).toContain('mcp__two__pid');
  });
});

describe('a model', () => {
  promise('3.6d', 'calls a native tool and one of a server that would have the same name', async () => {
    await using scene = await playing([], two);
    const echo = tool({
      inputSchema: jsonSchema<{ text: string }>(parameters),
      execute: async () => 'from the program',
    });
    const { tools } = await aiTools(scene.host, { native: { mcp__one__echo: echo } });
    const renamed = Object.keys(tools).find(name => name.startsWith('mcp__one__echo_')) ?? '';
    scene.model.say(
      {
        calls: [
          { name: 'mcp__one__echo', args: { text: '' } },
          { name: renamed, args: { text: 'from the server' } },
        ],
      },
      { text: 'Both.' },
    );
    const model = createOpenAICompatible({ name: 'scripted', baseURL: scene.model.url })('scripted-1');
    await generateText({ model, tools, stopWhen: isStepCount(3), prompt: 'Call both.' });
    const messages = scene.model.requests[1]?.body.messages as { role: string; content: unknown }[];
    const told = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    expect(told).toEqual(['from the program', 'from the server']);
  });
});

describe('an API that takes only so many tools', () => {
  test('gets some of every server; the rest is named, and can be called', async () => {
    const servers = { many: trusted(testServer('--tools', '200')), one: trusted(testServer()) };
    await using scene = await playing([], { servers });
    const native = [{ type: 'function' as const, function: { name: 'own' } }];
    const { tools, beyond, run } = await openaiTools(scene.host, { native });
    expect(tools).toHaveLength(128);
    expect(tools.map(one => one.function.name)).toEqual(expect.arrayContaining(['own', 'mcp__one__echo']));
    expect(beyond.length).toBeGreaterThan(70);
    const [name = ''] = beyond;
    const answer = await run({ id: '1', function: { name, arguments: '{"query":"x"}' } });
    expect(answer.content).toMatch(/^tool_\d+: /);
    const alone = await openaiTools(scene.host, { servers: ['one'], native });
    expect([alone.beyond, alone.tools.length < 128]).toEqual([[], true]);
  });
});

describe('a server that cannot be reached', () => {
  test('is named with its reason, and the tools of the others are there', async () => {
    const broken = { transport: 'stdio', command: 'no-such-program-at-all' };
    await using scene = await playing([], { servers: { one: trusted(testServer()), broken }, attempts: 1 });
    const { tools, failures } = await openaiTools(scene.host);
    expect(tools.map(one => one.function.name)).toContain('mcp__one__echo');
    expect(failures.map(({ server, error }) => [server, error.code])).toEqual([['broken', 'command_not_found']]);
  });
});
