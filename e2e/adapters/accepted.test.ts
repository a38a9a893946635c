import { everything, filesystem, makeHome, npmServer, promise, trusted } from '@junctor/testkit';
import type { ModelRequest } from '@junctor/testkit/model';
import { describe, expect } from 'vitest';
import { judgeAnthropic } from '../../packages/core/src/catalogue/schema-fit/judges/anthropic.ts';
import { judgeGemini } from '../../packages/core/src/catalogue/schema-fit/judges/gemini.ts';
import { judgeOpenAi } from '../../packages/core/src/catalogue/schema-fit/judges/openai.ts';
import { judgeOpenAiStrict } from '../../packages/core/src/catalogue/schema-fit/judges/openai-strict.ts';
import { callAll, definitions, odd, type Sent } from './odd-tools.ts';
import { PLAIN_APIS } from './plain-apis.ts';
import { playing } from './scene.ts';

const JUDGES: Readonly<Record<string, (schema: unknown) => object[]>> = {
  'OpenAI Chat Completions': judgeOpenAi,
  'OpenAI Responses': judgeOpenAi,
  'Anthropic Messages': judgeAnthropic,
  Gemini: judgeGemini,
};

/** What the provider would say about the schemas in a request. */
function complaints(request: ModelRequest | undefined, api: string): unknown[] {
  return definitions(request as ModelRequest).flatMap(({ name, strict, ...tool }: Sent) => {
    const judge = strict ? judgeOpenAiStrict : JUDGES[api];
    const said = judge?.(tool.parameters ?? tool.input_schema) ?? ['there is no judge'];
    return said.map(complaint => ({ name, complaint }));
  });
}

describe.each(PLAIN_APIS)('$name', ({ name, play }) => {
  promise('3.6b', `accepts the tools of servers from npm (${name})`, async () => {
    await using home = await makeHome();
    const memory = { transport: 'stdio', command: process.execPath, args: [npmServer('memory')] };
    const servers = { everything: trusted(everything()), fs: trusted(filesystem(home.project)), memory };
    await using scene = await playing([{ text: 'I see them.' }], { servers });
    const { text } = await play(scene.host, scene.model);
    expect([text, scene.model.complaints, complaints(scene.model.requests[0], name)]).toEqual(['I see them.', [], []]);
    expect(definitions(scene.model.requests[0] as ModelRequest).length).toBeGreaterThan(30);
  });

  promise('3.6b', `accepts tools that it would refuse as they are, and calls each of them (${name})`, async () => {
    await using scene = await playing([callAll, { text: 'All of them.' }], { servers: { odd } });
    const { text, answers } = await play(scene.host, scene.model);
    expect([text, scene.model.complaints, complaints(scene.model.requests[0], name)]).toEqual(['All of them.', [], []]);
    const called = answers.map(answer => /called ([\w.-]+)/.exec(JSON.stringify(answer))?.[1]);
    const offered = (await scene.host.collect('odd')).map(tool => tool.name);
    expect(called.sort()).toEqual(offered.sort());
    expect(offered).toHaveLength(26);
  });
});
