import { aiTools } from '@junctor/adapters/ai-sdk';
import { openaiTools } from '@junctor/adapters/openai';
import { createHost, type Question } from '@junctor/core';
import { makeHome, promise, testServer, trusted } from '@junctor/testkit';
import { generateText, isStepCount } from 'ai';
import { describe, expect, test } from 'vitest';
import { AI_PROVIDERS } from '../adapters/ai-providers.ts';
import { PLAIN_APIS } from '../adapters/plain-apis.ts';
import { playing } from '../adapters/scene.ts';
import { changingServer } from '../connections/changing.ts';
import { hostListing, tool } from './listing.ts';

const reading = [
  { calls: [{ name: 'mcp_resources_list' }, { name: 'mcp_resource_templates_list', args: { server: 'demo' } }] },
  { calls: [{ name: 'mcp_resource_read', args: { server: 'demo', uri: 'demo://greeting' } }] },
  { text: 'I have read it.' },
];

const prompting = [
  { calls: [{ name: 'mcp_prompts_list' }] },
  { calls: [{ name: 'mcp_prompt_get', args: { server: 'demo', name: 'greet', arguments: { name: 'Ada' } } }] },
  { text: 'I know what to do.' },
];

describe('a model', () => {
  for (const { name, play } of PLAIN_APIS) {
    promise('3.7d', `lists resources and templates, and reads one, through ${name}`, async () => {
      await using scene = await playing(reading);
      const { text, answers } = await play(scene.host, scene.model);
      expect([text, scene.model.complaints]).toEqual(['I have read it.', []]);
      const [resources, templates, read] = answers.map(answer => JSON.stringify(answer));
      expect(resources).toContain('server demo: demo://greeting (greeting, text/plain) A greeting from this server.');
      expect(templates).toMatch(/server demo: demo:\/\/[^ ]*\{\w+\}/);
      expect(read).toContain('Hello from the Junctor test server.');
    });

    promise('3.7e', `lists prompts and gets one with its arguments filled in, through ${name}`, async () => {
      await using scene = await playing(prompting);
      const { text, answers } = await play(scene.host, scene.model);
      expect([text, scene.model.complaints]).toEqual(['I know what to do.', []]);
      const [prompts, prompt] = answers.map(answer => JSON.stringify(answer));
      expect(prompts).toContain('server demo: greet (arguments: name, tone?) Asks the model to greet somebody.');
      expect(prompt).toContain('user: Greet Ada in a friendly way.');
    });
  }

  promise(['3.7d', '3.7e'], 'does so with the AI SDK too', async () => {
    await using scene = await playing([...reading.slice(0, 2), ...prompting]);
    const model = AI_PROVIDERS.at(-1)?.open(scene.model);
    if (!model) throw new Error('no provider');
    const { tools } = await aiTools(scene.host, { model });
    const { text, steps } = await generateText({ model, tools, stopWhen: isStepCount(9), prompt: 'Read.' });
    expect([text, scene.model.complaints]).toEqual(['I know what to do.', []]);
    const outputs = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => JSON.stringify(output)));
    expect(outputs).toEqual([
      expect.stringContaining('demo://greeting'),
      expect.stringContaining('{'),
      expect.stringContaining('Hello from the Junctor test server.'),
      expect.stringContaining('greet'),
      expect.stringContaining('Greet Ada in a friendly way.'),
    ]);
  });
});

describe('tools for resources and prompts', () => {
  promise(['3.7d', '3.7e'], 'are called through the library by their names', async () => {
    await using home = await makeHome();
    await using host = await createHost({ data: home.data, config: { servers: { demo: trusted(testServer()) } } });
    const output = async (name: string, args: object = {}) => (await host.call(name, args)).output;
    expect(await output('mcp_resources_list')).toContain('demo://greeting');
    expect(await output('mcp_resource_templates_list')).toMatch(/\{\w+\}/);
    const read = await host.call('mcp_resource_read', { server: 'demo', uri: 'demo://greeting' });
    expect(read).toMatchObject({ success: true, output: 'Hello from the Junctor test server.' });
    expect(await output('mcp_prompts_list', { server: 'demo' })).toContain('greet');
    const args = { name: 'Ada', tone: 'terse' };
    expect(await output('mcp_prompt_get', { server: 'demo', name: 'greet', arguments: args })).toContain(
      'Greet Ada in a terse way.',
    );
    await expect(host.call('mcp_resource_read', { server: 'demo' })).rejects.toMatchObject({
      code: 'usage',
      message: "The arguments of 'mcp_resource_read' do not fit: missing: uri.",
    });
    await expect(host.call('mcp_prompts_list', { server: 'dem' })).rejects.toMatchObject({ code: 'server_unknown' });
  });

  test('are there where some server has resources or prompts, and not where the program does not want them', async () => {
    await using home = await makeHome();
    const names = async (host: Parameters<typeof openaiTools>[0], options: object = {}) =>
      (await openaiTools(host, options)).tools.map(one => one.function.name).filter(name => name.startsWith('mcp_'));
    await using plain = await hostListing(home, { a: [tool('one')] });
    expect(await names(plain)).toEqual(['mcp__a__one']);
    await using server = await changingServer({ tools: [], resources: ['mem://a'], prompts: ['p'] });
    const config = { servers: { c: trusted(server.definition) } };
    await using rich = await createHost({ data: home.data, config });
    expect(await names(rich)).toContain('mcp_prompt_get');
    expect(await names(rich, { otherLists: false })).not.toContain('mcp_prompt_get');
  });

  test('are judged, asked about, counted and cut like any other', async () => {
    await using home = await makeHome();
    const asked: Question[] = [];
    await using host = await createHost({
      data: home.data,
      config: {
        servers: { one: testServer(), two: testServer() },
        permissions: { deny: ['mcp__two__*'] },
        results: { max_output_tokens: 60 },
      },
      ask: async question => {
        asked.push(question);
        return { scope: 'session' };
      },
    });
    const uri = 'demo://greeting';
    const read = (server: string) => host.call('mcp_resource_read', { server, uri });
    expect((await read('one')).success).toBe(true);
    expect((await read('one')).success).toBe(true);
    expect(asked).toMatchObject([{ server: 'one', tool: 'mcp_resource_read', args: { uri } }]);
    expect(await read('two')).toMatchObject({ denied: true });
    const listed = await host.call('mcp_resources_list');
    expect(listed.output).not.toContain('server two');
    expect(listed.artifact?.id).toMatch(/^res_/);
    expect((await host.readResult(listed.artifact?.id ?? '')).text).toContain('demo://note');
    const rows = (await host.statistics()).filter(({ calls }) => calls > 0);
    expect(rows).toMatchObject([{ server: 'one', tool: 'mcp_resource_read', calls: 2 }]);
    const mcp = await openaiTools(host);
    const args = JSON.stringify({ server: 'one', uri });
    const { content } = await mcp.run({ id: 'x', function: { name: 'mcp_resource_read', arguments: args } });
    expect(content).toMatch(/^\[data \w+ from .*mcp_resource_read.*Hello from/s);
  });
});
