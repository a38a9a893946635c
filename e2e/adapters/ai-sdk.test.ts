import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { aiTools } from '@junctor/adapters/ai-sdk';
import { misbehaving, promise, testServer, trusted } from '@junctor/testkit';
import type { ScriptedModel } from '@junctor/testkit/model';
import { generateText, isStepCount, streamText } from 'ai';
import { describe, expect, test } from 'vitest';
import { playing } from './scene.ts';

const anySteps = { stopWhen: isStepCount(9), prompt: 'Do it.' };

function through({ url }: ScriptedModel) {
  return createOpenAICompatible({ name: 'scripted', baseURL: url })('scripted-1');
}

/** What the model was told in answer to its calls. */
function answers({ requests }: ScriptedModel): unknown[] {
  const messages = requests.at(-1)?.body.messages as { role: string; content: unknown }[];
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
}

describe('tools for the AI SDK', () => {
  promise('3.6a', 'are run by generateText, and their results reach the model', async () => {
    await using scene = await playing([
      {
        calls: [
          { name: 'mcp__demo__echo', args: { text: 'hello' } },
          { name: 'mcp__demo__json_response', args: {} },
        ],
      },
      { text: 'Both answered.' },
    ]);
    const { tools } = await aiTools(scene.host);
    const { text, steps } = await generateText({ model: through(scene.model), tools, ...anySteps });
    expect([text, scene.model.complaints]).toEqual(['Both answered.', []]);
    expect(answers(scene.model)).toEqual(['hello', '{"ok":true,"items":[1,2,3]}']);
    const [echoed, structured] = steps[0]?.toolResults ?? [];
    expect(echoed).toMatchObject({
      dynamic: true,
      toolMetadata: { server: 'demo', tool: 'echo' },
      output: { success: true, output: 'hello' },
    });
    expect(structured).toMatchObject({ output: { data: { ok: true, items: [1, 2, 3] } } });
  });

  promise('3.6a', 'are run by streamText, and what a server says meanwhile is streamed', async () => {
    await using scene = await playing([
      { text: 'One moment. ', calls: [{ name: 'mcp__demo__slow', args: { ms: 50 } }] },
      { text: 'It is done.' },
    ]);
    const { tools } = await aiTools(scene.host);
    const { stream } = streamText({ model: through(scene.model), tools, ...anySteps });
    const preliminary: unknown[] = [];
    const final: unknown[] = [];
    let text = '';
    for await (const part of stream) {
      if (part.type === 'text-delta') text += part.text;
      if (part.type === 'tool-result') (part.preliminary ? preliminary : final).push(part.output);
    }
    expect(text).toBe('One moment. It is done.');
    expect(final).toMatchObject([{ success: true, output: 'waited 50 ms' }]);
    expect(preliminary.slice(0, 10)).toEqual(
      Array.from({ length: 10 }, (_, step) => ({
        progress: step + 1,
        total: 10,
        message: `step ${step + 1} of 10`,
      })),
    );
  });

  test('do without preliminary results where these are not wanted', async () => {
    await using scene = await playing([
      { calls: [{ name: 'mcp__demo__slow', args: { ms: 10 } }] },
      { text: 'It is done.' },
    ]);
    const { tools } = await aiTools(scene.host, { progress: false });
    const { stream } = streamText({ model: through(scene.model), tools, ...anySteps });
    const results: unknown[] = [];
    for await (const part of stream) if (part.type === 'tool-result') results.push(part.preliminary ?? false);
    expect(results).toEqual([false]);
  });

  test('end at the server when the run is aborted', async () => {
    await using scene = await playing([{ calls: [{ name: 'mcp__demo__slow', args: { ms: 1000 } }] }]);
    const { tools } = await aiTools(scene.host);
    const leaving = new AbortController();
    const { stream } = streamText({
      model: through(scene.model),
      tools,
      abortSignal: leaving.signal,
      ...anySteps,
    });
    const kinds: string[] = [];
    for await (const { type } of stream) {
      kinds.push(type);
      if (type === 'tool-result') leaving.abort();
    }
    expect(kinds).toContain('abort');
    expect((await scene.host.call({ server: 'demo', tool: 'state' })).data).toMatchObject({ cancelled: 1 });
  });

  test('tell the model what went wrong, in words, and the run goes on', async () => {
    await using scene = await playing(
      [
        { calls: [{ name: 'mcp__demo__fail', args: { message: 'the disk is full' } }] },
        { calls: [{ name: 'mcp__frail__crash' }] },
        { calls: [{ name: 'mcp__demo__echo', args: '{"text": ' }] },
        { text: 'I gave up.' },
      ],
      { servers: { demo: trusted(testServer()), frail: trusted(misbehaving('dies-in-call')) }, attempts: 1 },
    );
    const { tools } = await aiTools(scene.host);
    const { text, steps } = await generateText({ model: through(scene.model), tools, ...anySteps });
    expect(text).toBe('I gave up.');
    const [failed, crashed, garbled] = answers(scene.model);
    expect(failed).toBe('the disk is full');
    expect(crashed).toMatch(/^Error: Server 'frail' .*\nwhy: .*panic: index out of range/s);
    expect(garbled).toMatch(/JSON/);
    expect(steps[0]?.content.at(-1)).toMatchObject({ type: 'tool-result', output: { success: false } });
    expect(steps[1]?.content.at(-1)).toMatchObject({ type: 'tool-error' });
  });

  test('stay those of the beginning while a run lasts; the next run sees what has changed', async () => {
    await using scene = await playing([
      { calls: [{ name: 'mcp__demo__add_tool', args: { name: 'late' } }] },
      { calls: [{ name: 'mcp__demo__remove_tool', args: { name: 'big' } }] },
      { calls: [{ name: 'mcp__demo__big', args: { bytes: 1 } }] },
      { text: 'It is gone.' },
    ]);
    const first = await aiTools(scene.host);
    await generateText({ model: through(scene.model), tools: first.tools, ...anySteps });
    const offered = scene.model.requests.map(({ body }) => JSON.stringify(body.tools));
    expect(new Set(offered).size).toBe(1);
    expect(answers(scene.model).at(-1)).toMatch(/^Error: Server 'demo' has no tool 'big'\./);
    const next = await aiTools(scene.host);
    const names = (tools: object) => Object.keys(tools).filter(name => /__(late|big)$/.test(name));
    expect([names(first.tools), names(next.tools)]).toEqual([['mcp__demo__big'], ['mcp__demo__late']]);
  });
});
