import { aiTools } from '@junctor/adapters/ai-sdk';
import { promise } from '@junctor/testkit';
import { generateText, isStepCount } from 'ai';
import { describe, expect } from 'vitest';
import { PNG } from '../../packages/testkit/src/servers/offer/media.ts';
import { AI_PROVIDERS } from './ai-providers.ts';
import { callAll, odd } from './odd-tools.ts';
import { playing } from './scene.ts';

describe.each(AI_PROVIDERS)('the AI SDK with $name', ({ name, pictures, open }) => {
  promise('3.6a', `runs the tools; pictures go where they are taken, and never base64 as text (${name})`, async () => {
    await using scene = await playing([
      {
        calls: [
          { name: 'mcp__demo__echo', args: { text: 'hello' } },
          { name: 'mcp__demo__image' },
          { name: 'mcp__demo__fail' },
        ],
      },
      { text: 'I have seen it.' },
    ]);
    const model = open(scene.model);
    const { tools } = await aiTools(scene.host, { model });
    const { text } = await generateText({ model, tools, stopWhen: isStepCount(3), prompt: 'Look.' });
    expect([text, scene.model.complaints]).toEqual(['I have seen it.', []]);
    const sent = JSON.stringify(scene.model.requests[1]?.body);
    expect(sent).toContain('hello');
    expect(sent).toContain('this tool always fails');
    expect(sent.includes(PNG)).toBe(pictures);
    if (!pictures) expect(sent).toContain('[image image/png, ');
  });

  promise('3.6a', `runs tools that the provider would refuse as they are (${name})`, async () => {
    await using scene = await playing([callAll, { text: 'All of them.' }], { servers: { odd } });
    const model = open(scene.model);
    const { tools } = await aiTools(scene.host, { model });
    const { text, steps } = await generateText({ model, tools, stopWhen: isStepCount(3), prompt: 'Go.' });
    expect([text, scene.model.complaints]).toEqual(['All of them.', []]);
    const called = steps.flatMap(({ toolResults }) =>
      toolResults.map(({ output }) => (output as { output: string }).output),
    );
    const offered = (await scene.host.collect('odd')).map(tool => `called ${tool.name}`);
    expect(called.sort()).toEqual(offered.sort());
  });
});
