import { aiTools } from '@junctor/adapters/ai-sdk';
import { openaiTools } from '@junctor/adapters/openai';
import { testServer } from '@junctor/testkit';
import type { ModelRequest, Turn } from '@junctor/testkit/model';
import { generateText, isStepCount } from 'ai';
import { describe, expect, test } from 'vitest';
import { AI_PROVIDERS } from './ai-providers.ts';
import { PLAIN_APIS } from './plain-apis.ts';
import { playing } from './scene.ts';

/** Twice what a model is told at once. */
const big: Turn = { calls: [{ name: 'mcp__demo__big', args: { bytes: 200_000 } }] };

/** Does what the cut result says. */
function readOn({ body }: ModelRequest): Turn {
  const [, id = ''] = /kept as (res_\w+)/.exec(JSON.stringify(body)) ?? [];
  return { calls: [{ name: 'read_result', args: { id, range: [150_000, 150_050] } }] };
}

const played = [big, readOn, { text: 'I have read it.' }];
const piece = /(?<!x)x{50}(?!x)/;

describe('a result that was cut', () => {
  test.each(PLAIN_APIS)('is read on by the model with $name', async ({ play }) => {
    await using scene = await playing(played);
    const { text, answers } = await play(scene.host, scene.model);
    expect([text, scene.model.complaints]).toEqual(['I have read it.', []]);
    expect(JSON.stringify(answers[0]).length).toBeLessThan(120_000);
    expect(JSON.stringify(answers[1])).toMatch(piece);
  });

  test.each(AI_PROVIDERS)('is read on by the model with the AI SDK and $name', async ({ open }) => {
    await using scene = await playing(played);
    const model = open(scene.model);
    const { tools } = await aiTools(scene.host, { model });
    const { text } = await generateText({ model, tools, stopWhen: isStepCount(4), prompt: 'Read.' });
    expect([text, scene.model.complaints]).toEqual(['I have read it.', []]);
    expect(JSON.stringify(scene.model.requests[2]?.body)).toMatch(piece);
  });

  test('is marked as the data of its server, and belongs to its session', async () => {
    await using scene = await playing([], { servers: { demo: testServer() }, ask: async () => true });
    const [mine, theirs] = await Promise.all(['mine', 'theirs'].map(session => openaiTools(scene.host, { session })));
    const call = (name: string, args: object) => ({ id: '1', function: { name, arguments: JSON.stringify(args) } });
    const cut = await mine?.run(call('mcp__demo__big', { bytes: 200_000 }));
    const [, id = ''] = /kept as (res_\w+)/.exec(cut?.content ?? '') ?? [];
    const read = call('read_result', { id, range: [0, 20] });
    expect((await mine?.run(read))?.content).toMatch(
      /^\[characters 0 to 20 of 200000\]\n\[data \w+ from .*\nx{20}\n\[end \w+\]\n\[read on with read_result: \{.*\}\]$/s,
    );
    for (const answer of [await theirs?.run(read), await mine?.run(call('read_result', { id: 'res_gone' }))])
      expect(answer?.content).toMatch(/^There is no stored result 'res_/);
  });
});
