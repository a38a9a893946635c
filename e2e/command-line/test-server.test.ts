import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createHost } from '@junctor/core';
import { isFree, JUNCTOR, junctor, makeHome, promise, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { followPage, readPage } from '../docs/run-page.ts';
import { anyResult, type EraName, firstLine, joined, obligingClient, start, textOf, type Way } from './sdk-client.ts';

describe('test-server', () => {
  promise('4.6b', 'listens on port 8888 of this machine when no flag is given', async ({ skip }) => {
    // The one test that needs a port of its own choosing: another program may have it.
    if (!(await isFree(8888))) skip('another program listens on port 8888');
    await using home = await makeHome();
    const server = start(home, 'test-server');
    const url = await firstLine(server);
    expect(url).toBe('http://127.0.0.1:8888/mcp');
    {
      await using host = await createHost({
        config: { servers: { demo: { transport: 'http', url, trust: 'trusted' } } },
      });
      expect((await host.call('mcp__demo__echo', { text: 'over http' })).output).toBe('over http');
    }
    server.kill('SIGTERM');
    expect(await once(server, 'exit')).toEqual([0, null]);
  });

  promise('8.19a', 'serves stdio, http, sse or ws, as its flag says', async () => {
    await using home = await makeHome();
    for (const transport of ['http', 'sse', 'ws']) {
      const server = start(home, 'test-server', `--${transport}`, '0');
      const url = await firstLine(server);
      {
        await using host = await createHost({ config: { servers: { demo: { transport, url, trust: 'trusted' } } } });
        expect((await host.call('mcp__demo__echo', { text: transport })).output).toBe(transport);
      }
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
  });

  promise('4.6e', 'has a tool that takes five seconds, or as long as it is told', async () => {
    await using host = await createHost({ config: { servers: { demo: trusted(testServer()) } } });
    const [long, short] = await Promise.all([host.call('mcp__demo__slow'), host.call('mcp__demo__slow', { ms: 30 })]);
    expect([long.output, short.output]).toEqual(['waited 5000 ms', 'waited 30 ms']);
  });
});

const ERAS: readonly EraName[] = ['legacy', 'modern'];
const WAYS: readonly Way[] = ['stdio', 'http'];

describe.each(ERAS.flatMap(era => WAYS.map(way => ({ era, way }))))('over $way in the $era era', ({ era, way }) => {
  promise('4.6g', 'test-server offers more tools, resources and prompts', async () => {
    await using home = await makeHome();
    const client = obligingClient(era);
    await using _ = await joined(home, client, way);
    const tools = (await client.listTools()).tools.map(({ name }) => name);
    const more = ['ask_person', 'ask_url', 'ask_model', 'show_roots', 'image', 'audio', 'log', 'task_slow', 'add_tool'];
    expect(tools).toEqual(expect.arrayContaining(['echo', 'fail', 'slow', 'json_response', ...more]));
    const resources = (await client.listResources()).resources.map(({ uri }) => uri);
    expect(resources).toEqual(['demo://greeting', 'demo://picture', 'demo://note', 'demo://ask-first']);
    expect((await client.readResource({ uri: 'demo://people/Grace%20H' })).contents).toMatchObject([
      { uri: 'demo://people/Grace%20H', mimeType: 'text/plain', text: 'Grace H was here.' },
    ]);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
      'greet',
      'summarise_note',
      'introduce',
    ]);
    const { messages } = await client.getPrompt({ name: 'greet', arguments: { name: 'Ada', tone: 'terse' } });
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Greet Ada in a terse way.' } }]);
    const ref = { type: 'ref/prompt' as const, name: 'greet' };
    const { completion } = await client.complete({ ref, argument: { name: 'name', value: 'a' } });
    expect(completion.values).toEqual(['Ada', 'Alan']);
    expect((await client.callTool({ name: 'image' })).content).toMatchObject([{ type: 'image' }]);
  });

  test('its tools, a prompt and a resource ask the client, and get its answers', async () => {
    await using home = await makeHome();
    const client = obligingClient(era);
    await using _ = await joined(home, client, way);
    const call = async (name: string) => textOf(await client.callTool({ name, arguments: {} }));
    expect([
      await call('ask_person'),
      await call('ask_url'),
      await call('ask_model'),
      await call('show_roots'),
    ]).toEqual([
      '{"action":"accept","content":{"name":"Ada"}}',
      '{"action":"accept"}',
      'Hello to you.',
      'file:///somewhere',
    ]);
    expect((await client.readResource({ uri: 'demo://ask-first' })).contents).toMatchObject([
      { text: 'Written for Ada.' },
    ]);
    expect((await client.getPrompt({ name: 'introduce' })).messages).toMatchObject([
      { content: { text: 'Introduce yourself to Ada.' } },
    ]);
  });

  test('log lines are sent at the level the client wants', async () => {
    await using home = await makeHome();
    const client = obligingClient(era);
    await using _ = await joined(home, client, way);
    const heard: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params.data));
    const log = (level: string, _meta: object) =>
      client.callTool({ name: 'log', arguments: { level, message: level }, _meta: { ..._meta } });
    if (era === 'legacy') await client.setLoggingLevel('warning');
    else await log('emergency', {});
    const wanted = era === 'modern' ? { 'io.modelcontextprotocol/logLevel': 'warning' } : {};
    for (const level of ['info', 'warning', 'error']) await log(level, wanted);
    await expect.poll(() => heard).toEqual(['warning', 'error']);
  });

  test('the sandbox state is taken, as a request or as a notification, where the option is given', async () => {
    await using home = await makeHome();
    const client = obligingClient(era);
    await using _ = await joined(home, client, way, '--sandbox-state');
    const update = 'codex/sandbox-state/update';
    const last = async () => JSON.parse(textOf(await client.callTool({ name: 'sandbox_state', arguments: {} })));
    expect(Object.keys(client.getServerCapabilities()?.experimental ?? {})).toEqual(['codex/sandbox-state']);
    await client.request({ method: update, params: { sandboxPolicy: 'read-only' } }, anyResult);
    expect(await last()).toEqual({ sandboxPolicy: 'read-only' });
    await client.notification({ method: update, params: { sandboxPolicy: 'full' } });
    await expect.poll(last).toEqual({ sandboxPolicy: 'full' });
    const plain = obligingClient(era);
    await using _plain = await joined(home, plain, way);
    expect(plain.getServerCapabilities()?.experimental).toBeUndefined();
    await expect(plain.request({ method: update, params: { a: 1 } }, anyResult)).rejects.toThrow();
  });

  test('what changes is announced, to those who want to know', async () => {
    await using home = await makeHome();
    const client = obligingClient(era);
    await using _ = await joined(home, client, way);
    const heard: string[] = [];
    for (const list of ['tools', 'prompts', 'resources'] as const)
      client.setNotificationHandler(`notifications/${list}/list_changed`, () => void heard.push(list));
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
    const uri = 'demo://note';
    if (era === 'legacy') await client.subscribeResource({ uri });
    else
      await client.listen({
        toolsListChanged: true,
        promptsListChanged: true,
        resourcesListChanged: true,
        resourceSubscriptions: [uri],
      });
    const changes = [
      ['add_tool', { name: 'mine' }],
      ['remove_tool', { name: 'echo' }],
      ['add_prompt', { name: 'mine' }],
      ['add_resource', { uri: 'demo://mine' }],
      ['update_resource', { uri: 'demo://mine', text: 'nobody subscribed to this' }],
      ['update_resource', { text: 'new' }],
    ] as const;
    for (const [name, args] of changes) await client.callTool({ name, arguments: args });
    await expect.poll(() => heard).toEqual(['tools', 'tools', 'prompts', 'resources', uri]);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect([names.includes('mine'), names.includes('echo')]).toEqual([true, false]);
    expect(textOf(await client.callTool({ name: 'mine', arguments: { a: 1 } }))).toBe('{"a":1}');
    expect((await client.readResource({ uri })).contents).toMatchObject([{ text: 'new' }]);
  });
});

describe('test-server --era', () => {
  test('speaks one era alone; another word is a mistake', async () => {
    await using home = await makeHome();
    for (const [era, other] of [
      ['legacy', 'modern'],
      ['modern', 'legacy'],
    ] as const) {
      for (const way of WAYS) {
        await using _ = await joined(home, obligingClient(era), way, '--era', era);
        await expect(joined(home, obligingClient(other), 'stdio', '--era', era)).rejects.toThrow();
      }
    }
    const { code, stderr } = await junctor(home, ['test-server', '--era', 'future']);
    expect([code, stderr.split('\n')[0]]).toEqual([2, "error: --era cannot be 'future'. (usage)"]);
    expect((await junctor(home, ['test-server', '--sse', '0', '--era', 'modern'])).code).toBe(2);
  });
});

test('docs/test-server.md: what it tells its reader to do gives what it shows, and every tool is named there', async () => {
  await followPage('docs/test-server.md');
  const client = obligingClient('modern');
  await using home = await makeHome();
  await using _ = await joined(home, client, 'stdio');
  const { tools } = await client.listTools();
  expect(tools.filter(({ name }) => !readPage('docs/test-server.md').includes(`\`${name}\``))).toEqual([]);
}, 120_000);

describe('Ctrl-C', () => {
  promise('8.22e', 'ends a call with exit code 130, and its server with it', async () => {
    await using home = await makeHome();
    await home.write('config/junctor/config.json', { servers: { demo: trusted(testServer('--delay', '300')) } });
    const words = ['mcp', 'call', 'demo', 'slow', '--args', '{"ms":60000}', '--debug'];
    const call = spawn(process.execPath, [JUNCTOR, ...words], {
      cwd: home.project,
      env: home.env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(call, 'exit');
    let said = '';
    call.stderr.setEncoding('utf8').on('data', chunk => {
      said += chunk;
    });
    await expect.poll(() => said).toContain('"method":"tools/call"');
    call.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
  });
});
