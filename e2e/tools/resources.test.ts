import { createHost } from '@junctor/core';
import { everything, misbehaving, promise, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { changingServer } from '../connections/changing.ts';

describe('resources and prompts of a real server', () => {
  promise(['3.7a', '3.7b', '3.7g'], 'are listed, read, filled in and completed', async () => {
    await using host = await createHost({ config: { servers: { all: trusted(everything()) } } });
    const [resource] = await host.resources('all');
    expect(resource?.server).toBe('all');
    const uri = resource?.definition.uri as string;
    expect((await host.readResource('all', uri)).contents[0]).toMatchObject({ uri });
    const templates = (await host.resourceTemplates('all')).map(({ definition }) => definition.uriTemplate);
    const template = templates.find(one => one.includes('{')) as string;
    expect(template).toBeDefined();
    const concrete = template.replace(/\{[^}]*\}/g, '1');
    expect((await host.readResource('all', concrete)).contents).toHaveLength(1);
    const prompts = (await host.prompts('all')).map(({ definition }) => definition);
    const withArguments = prompts.find(prompt => (prompt.arguments?.filter(one => one.required).length ?? 0) > 0);
    const args = Object.fromEntries(withArguments?.arguments?.map(({ name }) => [name, 'Paris']) ?? []);
    const filled = await host.getPrompt('all', withArguments?.name as string, args);
    expect(JSON.stringify(filled.messages)).toContain('Paris');
    const suggestions = await Promise.all([
      ...prompts.flatMap(({ name, arguments: own = [] }) =>
        own.map(argument => {
          const ref = { type: 'ref/prompt', name } as const;
          return host.complete('all', { ref, argument: { name: argument.name, value: '' } });
        }),
      ),
      ...templates.map(uriTemplate => {
        const [, name = ''] = /\{([^}]*)\}/.exec(uriTemplate) ?? [];
        const ref = { type: 'ref/resource', uri: uriTemplate } as const;
        return host.complete('all', { ref, argument: { name, value: '1' } });
      }),
    ]);
    // Some arguments have suggestions, of prompts and of templates alike.
    expect(suggestions.slice(0, -templates.length).some(({ values }) => values.length > 0)).toBe(true);
    expect(suggestions.slice(-templates.length).some(({ values }) => values.length > 0)).toBe(true);
  });
});

describe('resources', () => {
  test('of all servers come with the server they are from, all pages of them', async () => {
    const resources = ['mem://1', 'mem://2', 'mem://3', 'mem://4', 'mem://5'];
    await using one = await changingServer({ resources, prompts: ['a', 'b', 'c'] });
    await using two = await changingServer({ resources: ['mem://1'] });
    const dead = misbehaving('dies-early');
    await using host = await createHost({
      config: { servers: { one: one.definition, two: two.definition, dead, plain: misbehaving('dies-in-call') } },
      attempts: 1,
    });
    expect((await host.resources()).map(({ server, definition }) => `${server} ${definition.uri}`)).toEqual([
      ...resources.map(uri => `one ${uri}`),
      'two mem://1',
    ]);
    expect((await host.prompts('one')).map(({ definition }) => definition.name)).toEqual(['a', 'b', 'c']);
    // A server without the capability has none and is not asked; one that says it has them may lack templates.
    expect([await host.resources('plain'), await host.resourceTemplates('one')]).toEqual([[], []]);
    await expect(host.resources('dead')).rejects.toMatchObject({ code: 'connection_failed' });
    await expect(host.resources('onee')).rejects.toMatchObject({ code: 'server_unknown' });
    await expect(host.readResource('plain', 'mem://1')).rejects.toMatchObject({
      code: 'not_offered',
      message: "Server 'plain' offers no resources.",
      why: 'it offers tools',
    });
    expect(await host.getPrompt('one', 'a', { x: '1' })).toEqual({
      messages: [{ role: 'user', content: { type: 'text', text: 'a {"x":"1"}' } }],
    });
  });

  promise('3.7c', 'are subscribed to, and their updates announced, over a new connection too', async () => {
    await using server = await changingServer({ resources: ['mem://a'] });
    await using host = await server.host({ attempts: 5 });
    const updates: object[] = [];
    host.events.on('resource-updated', event => updates.push(event));
    const touch = () => host.call({ server: 'c', tool: 'touch' }, { uri: 'mem://a' });
    await host.subscribe('c', 'mem://a');
    await touch();
    expect(updates).toEqual([{ type: 'resource-updated', server: 'c', uri: 'mem://a' }]);
    await host.call({ server: 'c', tool: 'crash' }).catch(() => {});
    await expect.poll(() => server.asked('resources/subscribe')).toBe(2);
    await touch();
    expect(updates).toHaveLength(2);
    await host.unsubscribe('c', 'mem://a');
    expect(await server.asked('resources/unsubscribe')).toBe(1);
    await host.links.reconnect('c');
    await host.call({ server: 'c', tool: 'pid' });
    expect(await server.asked('resources/subscribe')).toBe(2);
  });
});
