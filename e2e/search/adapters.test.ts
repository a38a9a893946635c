import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { aiTools } from '@junctor/adapters/ai-sdk';
import { anthropicTools } from '@junctor/adapters/anthropic';
import { openaiTools } from '@junctor/adapters/openai';
import { createHost, type Host } from '@junctor/core';
import { makeHome, promise, testServer, trusted } from '@junctor/testkit';
import { startModel } from '@junctor/testkit/model';
import { generateText, isStepCount } from 'ai';
import { describe, expect, test } from 'vitest';
import { AI_PROVIDERS, type AiProvider } from '../adapters/ai-providers.ts';
import { PLAIN_APIS } from '../adapters/plain-apis.ts';
import { playing } from '../adapters/scene.ts';
import { hostListing, tool } from '../tools/listing.ts';
import { described, FROZEN } from './said.ts';

/** Descriptions of more than a tenth of a window of 50,000 tokens. */
const many = { servers: { big: trusted(testServer('--tools', '200')) }, otherLists: false };
const options = { contextWindow: 50_000, otherLists: false };

const searching = [
  { calls: [{ name: 'find_tools', args: { query: 'tool_77' } }] },
  { calls: [{ name: 'describe_tool', args: { name: 'mcp__big__tool_77' } }] },
  { calls: [{ name: 'call_tool', args: { name: 'mcp__big__tool_77', arguments: { query: 'x' } } }] },
  { text: 'Found it.' },
];

/** Models that do not search by themselves, through providers whose newer ones do. */
const OLDER: readonly Pick<AiProvider, 'name' | 'open'>[] = [
  {
    name: 'an older Claude',
    open: ({ url }) => createAnthropic({ apiKey: 'x', baseURL: url })('claude-opus-4-1'),
  },
  {
    name: 'an older model of OpenAI Responses',
    open: ({ url }) => createOpenAI({ apiKey: 'x', baseURL: url }).responses('gpt-4.1'),
  },
];

interface Sent {
  readonly name?: string;
  readonly function?: { readonly name: string };
  readonly functionDeclarations?: readonly { readonly name: string }[];
}

function namesIn(tools: readonly unknown[]): unknown[] {
  return (tools as Sent[]).flatMap(sent => sent.functionDeclarations ?? sent.function ?? sent).map(({ name }) => name);
}

async function offered(host: Host, more: object = {}): Promise<unknown[]> {
  return namesIn((await openaiTools(host, { otherLists: false, ...more })).tools);
}

describe('tool search', () => {
  for (const { name, play } of PLAIN_APIS) {
    promise(['7.9a', '7.9c', '3.8g', '9.1e'], `works on any model with tool calling, through ${name}`, async () => {
      await using scene = await playing(searching, many);
      const { text, answers } = await play(scene.host, scene.model, options);
      expect([text, scene.model.complaints]).toEqual(['Found it.', []]);
      const [found, told, called] = answers.map(answer => JSON.stringify(answer));
      expect(found).toMatch(/mcp__big__tool_77\(query: string, limit\?: integer, cursor\?: string\)/);
      expect(told).toContain('How many records to return');
      expect(called).toContain('tool_77: {');
      const sent = scene.model.requests.map(({ body }) => JSON.stringify(body.tools));
      expect([sent.length, new Set(sent).size]).toEqual([4, 1]);
      expect(namesIn(JSON.parse(sent[0] as string))).toEqual(FROZEN);
    });
  }

  for (const { name, open } of [...AI_PROVIDERS.filter(one => !/Responses|Anthropic/.test(one.name)), ...OLDER]) {
    promise(['7.9a', '7.9c'], `works on any model with tool calling, with the AI SDK and ${name}`, async () => {
      await using scene = await playing(searching, many);
      const model = open(scene.model);
      const mcp = await aiTools(scene.host, { model, ...options });
      const { text, steps } = await generateText({ model, ...mcp, stopWhen: isStepCount(5), prompt: 'Find it.' });
      expect([text, scene.model.complaints]).toEqual(['Found it.', []]);
      expect(Object.keys(mcp.tools)).toEqual(FROZEN);
      const results = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output));
      expect(results.at(-1)).toMatchObject({ success: true, output: 'tool_77: {"query":"x"}' });
      expect(new Set(scene.model.requests.map(({ body }) => JSON.stringify(body.tools))).size).toBe(1);
    });
  }

  promise(['3.8a', '3.8b', '3.8e', '3.8f', '9.11b', '1.2e'], 'is on by the rule, to the character', async () => {
    await using home = await makeHome();
    const isSearched = async (chars: number, contextWindow: number, search?: object): Promise<boolean> => {
      const lists = { a: described(40, chars - 20_000), b: described(20, 20_000) };
      await using host = await hostListing(home, lists, { config: search ? { search } : {} });
      const names = await offered(host, { contextWindow });
      expect(names.includes('find_tools')).toBe(!names.includes('mcp__b__lookup_7'));
      return names.includes('find_tools');
    };
    expect(await isSearched(50_000, 200_000)).toBe(true);
    expect(await isSearched(49_999, 200_000)).toBe(false);
    expect(await isSearched(50_000, 32_000)).toBe(true);
    expect(await isSearched(50_000, 31_999)).toBe(false);
    expect(await isSearched(50_000, 200_000, { enabled: false })).toBe(false);
    expect(await isSearched(50_000, 200_000, { context_threshold: 0.11 })).toBe(false);
    expect(await isSearched(55_000, 200_000, { context_threshold: 0.11 })).toBe(true);
    expect(await isSearched(50_000, 16_000, { min_context_window: 16_000 })).toBe(true);
    expect(await isSearched(50_000, 100_000, { min_context_window: 100_001 })).toBe(false);
  });

  promise('3.8d', 'is off for a model without tool calling', async () => {
    await using home = await makeHome();
    const model_profiles = { mute: { models: ['mute-*'], tool_calling: false }, able: { models: ['able-*'] } };
    await using host = await hostListing(home, { a: described(60, 60_000) }, { config: { model_profiles } });
    expect(await offered(host, { model: 'mute-1' })).toContain('mcp__a__lookup_7');
    expect(await offered(host, { model: 'able-1' })).toEqual(FROZEN);
  });

  test('takes the window from the profile of the model where the program names none', async () => {
    await using home = await makeHome();
    const model_profiles = { wide: { models: ['wide-*'], context_window: 1_000_000 } };
    await using host = await hostListing(home, { a: described(60, 60_000) }, { config: { model_profiles } });
    expect(await offered(host, { model: 'wide-1' })).toContain('mcp__a__lookup_7');
    expect(await offered(host, { model: 'wide-1', contextWindow: 200_000 })).toEqual(FROZEN);
    expect(await offered(host, { defer: false })).toContain('mcp__a__lookup_7');
    expect(await offered(host, { hot: ['mcp__a__lookup_7'] })).toEqual(['mcp__a__lookup_7', ...FROZEN]);
  });

  promise(
    ['1.9d', '3.8j'],
    'stands in for the tools of a bundle with mode meta, and others stay beside it',
    async () => {
      await using home = await makeHome();
      const bundles = { quiet: { serverId: 'a', mode: 'meta' }, open: { serverId: 'b', mode: 'direct' } };
      const lists = { a: [tool('one'), tool('two')], b: [tool('three')] };
      await using host = await hostListing(home, lists, { config: { bundles } });
      const mcp = await openaiTools(host, { otherLists: false });
      expect(namesIn(mcp.tools)).toEqual(['mcp__b__three', ...FROZEN]);
      const say = async (name: string, args: object): Promise<string> =>
        (await mcp.run({ id: 'x', function: { name, arguments: JSON.stringify(args) } })).content;
      expect(await say('find_tools', { query: 'two' })).toContain('mcp__a__two()');
      expect(await say('call_tool', { name: 'mcp__a__two', arguments: { n: 1 } })).toBe('["two",{"n":1}]');
      // A name that the model knows from elsewhere is as good.
      expect(await say('mcp__a__one', {})).toBe('["one",{}]');
    },
  );

  test('of a bundle is ours also where the provider searches the rest itself', async () => {
    await using home = await makeHome();
    const bundles = { quiet: { serverId: 'a', mode: 'meta' } };
    await using host = await hostListing(home, { a: [tool('one')], b: [tool('two')] }, { config: { bundles } });
    const { tools } = await anthropicTools(host, { model: 'claude-sonnet-5', defer: true });
    expect(namesIn(tools)).toEqual(['tool_search_tool_bm25', ...FROZEN, 'mcp__b__two']);
  });

  test('leaves the names to a program that has tools of the same name, and says so where a bundle needs them', async () => {
    await using home = await makeHome();
    const native = [{ type: 'function', function: { name: 'find_tools' } }];
    await using host = await hostListing(home, { a: described(60, 60_000) });
    expect(await offered(host, { native })).toContain('mcp__a__lookup_7');
    const config = { bundles: { quiet: { serverId: 'a', mode: 'meta' } } };
    await using bundled = await hostListing(home, { a: [tool('one')] }, { config });
    await expect(offered(bundled, { native })).rejects.toMatchObject({ code: 'name_taken', server: 'a' });
  });

  test('with the AI SDK asks about the tool inside, once, and runs it after a yes', async () => {
    await using home = await makeHome();
    await using host = await createHost({
      data: home.data,
      config: {
        servers: { demo: testServer() },
        bundles: { b: { serverId: 'demo', mode: 'meta', allowTools: ['echo'] } },
      },
    });
    const call = { name: 'call_tool', args: { name: 'mcp__demo__echo', arguments: { text: 'hello' } } };
    await using model = await startModel([{ calls: [call] }, { text: 'Done.' }]);
    const scripted = AI_PROVIDERS.at(-1)?.open(model);
    if (!scripted) throw new Error('no provider');
    const { tools, toolApproval } = await aiTools(host, { model: scripted, otherLists: false });
    const messages: import('ai').ModelMessage[] = [{ role: 'user', content: 'Echo.' }];
    const first = await generateText({ model: scripted, tools, toolApproval, messages, stopWhen: isStepCount(5) });
    const [request] = first.content.filter(part => part.type === 'tool-approval-request');
    expect(request?.reason).toMatch(/^'echo' on server 'demo': /);
    messages.push(...first.responseMessages, {
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId: String(request?.approvalId), approved: true }],
    });
    const { text } = await generateText({ model: scripted, tools, toolApproval, messages, stopWhen: isStepCount(5) });
    expect(text).toBe('Done.');
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toMatch(/data \w+ from .*echo.*hello/);
  });
});
