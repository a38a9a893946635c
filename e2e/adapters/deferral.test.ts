import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { aiTools } from '@junctor/adapters/ai-sdk';
import { anthropicTools } from '@junctor/adapters/anthropic';
import { openaiResponsesTools } from '@junctor/adapters/openai';
import { promise, testServer, trusted } from '@junctor/testkit';
import type { ScriptedModel } from '@junctor/testkit/model';
import { generateText, isStepCount, type LanguageModel } from 'ai';
import { describe, expect, test } from 'vitest';
import { PLAIN_APIS } from './plain-apis.ts';
import { playing } from './scene.ts';

/** Their descriptions are more than a tenth of a window of 50,000 tokens. */
const many = { servers: { big: trusted(testServer('--tools', '200')), small: trusted(testServer()) } };
/** More than a tenth of the smallest window that counts. */
const several = { servers: { big: trusted(testServer('--tools', '118')) } };
const few = { servers: { small: trusted(testServer()) } };
const HOT = 'mcp__small__echo';
const contextWindow = 50_000;
/** Our own are never kept back. */
const OWN = [
  ...['read_result', 'mcp_resources_list', 'mcp_resource_templates_list', 'mcp_resource_read'],
  ...['mcp_prompts_list', 'mcp_prompt_get'],
];

const found = {
  finds: ['mcp__big__tool_77'],
  calls: [{ name: 'mcp__big__tool_77', args: { query: 'x' } }],
};

/** Every request of a run has the same tools, byte for byte: what a provider has cached stays good. */
function toolsSent({ requests }: ScriptedModel): unknown[] {
  expect(new Set(requests.map(({ body }) => JSON.stringify(body.tools))).size).toBe(1);
  return requests[0]?.body.tools as unknown[];
}

describe('a long list of tools', () => {
  promise('7.9b', 'is deferred the way Anthropic defers', async () => {
    await using scene = await playing([found, { text: 'Found it.' }], many);
    const options = { model: 'claude-opus-4-5-20251101', hot: [HOT], contextWindow };
    const { text, answers } = await playApi('Anthropic Messages', scene, options);
    expect([text, scene.model.complaints]).toEqual(['Found it.', []]);
    expect(JSON.stringify(answers)).toContain('tool_77: ');
    const [search, ...rest] = toolsSent(scene.model) as { name: string; type?: string; defer_loading?: boolean }[];
    expect(search).toEqual({ type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' });
    expect(rest.filter(tool => tool.defer_loading !== true).map(({ name }) => name)).toEqual([HOT, ...OWN]);
    expect(rest.length).toBeGreaterThan(200);
  });

  promise('7.9b', 'is deferred the way OpenAI defers, with a namespace for each server', async () => {
    await using scene = await playing([found, { text: 'Found it.' }], many);
    const { text, answers } = await playApi('OpenAI Responses', scene, { model: 'gpt-5.4', hot: [HOT], contextWindow });
    expect([text, scene.model.complaints]).toEqual(['Found it.', []]);
    expect(JSON.stringify(answers)).toContain('tool_77: ');
    type Sent = { type: string; name?: string; description?: string; tools?: { defer_loading?: boolean }[] };
    const sent = toolsSent(scene.model) as Sent[];
    const listed = sent.filter(({ type }) => type === 'function').map(({ name }) => name);
    const rest = sent.slice(listed.length);
    expect(listed).toEqual([HOT, ...OWN]);
    expect(rest.map(({ type, name }) => [type, name])).toEqual([
      ['namespace', 'big'],
      ['namespace', 'small'],
      ['tool_search', undefined],
    ]);
    expect(rest[0]?.description).toMatch(/^Tools of the MCP server 'big': add_prompt, .* and \d+ more$/);
    expect(rest[0]?.tools?.every(tool => tool.defer_loading === true)).toBe(true);
  });

  const PROVIDERS: readonly [string, (model: ScriptedModel) => LanguageModel][] = [
    ['Anthropic', ({ url }) => createAnthropic({ apiKey: 'x', baseURL: url })('claude-sonnet-4-5')],
    ['OpenAI', ({ url }) => createOpenAI({ apiKey: 'x', baseURL: url }).responses('gpt-5.4')],
  ];
  for (const [name, open] of PROVIDERS) {
    promise('7.9b', `is deferred with the AI SDK too, the way ${name} defers`, async () => {
      await using scene = await playing([found, { text: 'Found it.' }], many);
      const model = open(scene.model);
      const mcp = await aiTools(scene.host, { model, hot: [HOT], contextWindow });
      const { text, steps } = await generateText({ model, ...mcp, stopWhen: isStepCount(3), prompt: 'Find it.' });
      expect([text, scene.model.complaints]).toEqual(['Found it.', []]);
      const results = steps.flatMap(({ toolResults }) => toolResults);
      expect(results.at(-1)).toMatchObject({ output: { success: true, output: 'tool_77: {"query":"x"}' } });
      const sent = toolsSent(scene.model) as { type?: string; name?: string; defer_loading?: boolean }[];
      const shown = sent.filter(tool => tool.defer_loading !== true).map(tool => tool.name ?? tool.type);
      expect(shown).toEqual(
        name === 'Anthropic' ? ['tool_search_tool_bm25', HOT, ...OWN] : ['tool_search', HOT, ...OWN, 'big', 'small'],
      );
    });
  }

  async function playApi(name: string, { host, model }: Awaited<ReturnType<typeof playing>>, options: object) {
    const api = PLAIN_APIS.find(one => one.name === name);
    if (!api) throw new Error(name);
    return api.play(host, model, options);
  }
});

describe('definitions are all sent', () => {
  test('where they are few, the model does not search, or the program says so', async () => {
    await using scene = await playing([], several);
    await using short = await playing([], few);
    const deferred = async (host: typeof scene.host, options: object) =>
      JSON.stringify([
        (await anthropicTools(host, options)).tools,
        (await openaiResponsesTools(host, options)).tools,
      ]).includes('defer_loading');
    const newest = { model: 'claude-sonnet-5 gpt-6-astra', contextWindow: 32_000 };
    expect(await deferred(scene.host, newest)).toBe(true);
    expect(await deferred(scene.host, { ...newest, contextWindow: 1_000_000 })).toBe(false);
    expect(await deferred(scene.host, { ...newest, contextWindow: 16_000 })).toBe(false);
    expect(await deferred(scene.host, { ...newest, model: 'claude-sonnet-4-20250514 gpt-4.1' })).toBe(false);
    expect(await deferred(scene.host, { ...newest, defer: false })).toBe(false);
    await using never = await playing([], many, { search: { enabled: false } });
    await using later = await playing([], several, { search: { context_threshold: 0.9 } });
    expect(await deferred(never.host, newest)).toBe(false);
    expect(await deferred(later.host, newest)).toBe(false);
    expect(await deferred(short.host, newest)).toBe(false);
    expect(await deferred(short.host, { defer: true })).toBe(true);
  });
});
