/** Answers that are no result of a tool, texts that repeat structured content, and what a program learns when a call fails. */

import { openaiTools } from '@junctor/adapters/openai';
import { createHost, modelText } from '@junctor/core';
import { promise, testServer, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { answer, answeringHost, failure, text } from './answering.ts';

promise('3.5i', 'an answer that is no result of a tool is an error, and no empty success', async () => {
  await using host = await answeringHost();
  const malformed: readonly [object, string][] = [
    [{ content: 'oops' }, "'content' is a string, not a list"],
    [[], 'the result is a list, not an object'],
    [{ content: [], isError: 'yes' }, "'isError' is a string, not true or false"],
    [{ content: [{ type: 'image', mimeType: 'image/png' }] }, "content block 1 is of type 'image' and has no data"],
  ];
  for (const [result, why] of malformed) {
    const { code, message, why: said } = await failure(answer(host, result));
    expect({ code, message, said }).toEqual({
      code: 'malformed_response',
      message: "Server 'any' answered the call of 'answer' with something that is not a tool result.",
      said: why,
    });
  }
  // What an empty list becomes in some languages.
  expect(await answer(host, { content: null, isError: null })).toMatchObject({ success: true, output: '' });
});

promise('3.5j', 'text that structured content repeats reaches the model once, under whatever key', async () => {
  await using host = await answeringHost();
  const words = 'a file of many lines\n'.repeat(50);
  for (const key of ['content', 'result', 'text']) {
    const result = await answer(host, { content: [text(words)], structuredContent: { [key]: words } });
    expect(modelText(result)).toBe(words);
  }
  const more = await answer(host, { content: [text(words)], structuredContent: { content: words, lines: 50 } });
  expect(modelText(more)).toContain('"lines":50');
});

promise('3.5k', 'the notice on a cut result names the first characters that were left out', async () => {
  await using host = await answeringHost({ max_output_tokens: 1000 });
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join('\n');
  const { output } = await answer(host, { content: [text(lines)] });
  const [, from] = /characters left out, (\d+) to/.exec(output) as unknown as [string, string];
  expect(output).toContain(`"range":[${from},${Number(from) + 10_000}]`);
  expect(output.startsWith(lines.slice(0, Number(from)))).toBe(true);
});

test('a picture has the same size for people and for a model that cannot see it', async () => {
  await using host = await answeringHost();
  const data = Buffer.alloc(70, 1).toString('base64');
  const content = [{ type: 'image', mimeType: 'image/png', data }];
  expect((await answer(host, { content })).output).toContain('70 bytes');
  const mcp = await openaiTools(host, { otherLists: false });
  const call = {
    id: '1',
    type: 'function',
    function: { name: 'mcp__any__answer', arguments: JSON.stringify({ result: { content } }) },
  };
  const told = await mcp.run(call as never);
  expect(JSON.stringify(told)).toContain('70 bytes');
});

promise(
  '12.7d',
  'an error keeps its sentence as JSON, and every failure has a code, also one of the own callback',
  async () => {
    const ask = async () => {
      throw new Error('the window is gone');
    };
    await using host = await createHost({ config: { version: 1, servers: { demo: testServer() } }, ask });
    const asked = await failure(host.call({ server: 'demo', tool: 'echo' }, { text: 'x' }));
    expect(asked).toMatchObject({ code: 'approval_required', why: 'the window is gone', unsent: true });
    expect((asked.cause as Error).message).toBe('the window is gone');
    expect(JSON.parse(JSON.stringify(asked))).toMatchObject({
      name: 'JunctorError',
      code: 'approval_required',
      message: 'demo/echo needs approval, and asking for it failed.',
      server: 'demo',
    });
  },
);

test('a misspelt name is answered with the one that was meant, with and without its server, and no other', async () => {
  await using host = await createHost({ config: { version: 1, servers: { demo: trusted(testServer()) } } });
  expect((await failure(host.call('mcp__demo__ecoh', {}))).hint).toContain("did you mean 'mcp__demo__echo'?");
  expect((await failure(host.call({ server: 'demo', tool: 'ecoh' }, {}))).hint).toContain("did you mean 'echo'?");
  expect((await failure(host.call('mcp__demo__no-such', {}))).hint).not.toContain('did you mean');
});
