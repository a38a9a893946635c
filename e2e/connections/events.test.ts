import { createHost, type HostEvent } from '@junctor/core';
import {
  lockedBehindSignIn,
  makeHome,
  misbehaving,
  promise,
  serveMisbehaving,
  startHub,
  testServer,
  trusted,
} from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { RawClient } from '../hub/rpc.ts';

const rises = (values: readonly number[]): boolean =>
  values.every((value, at) => at === 0 || value > (values[at - 1] as number));

describe('events', () => {
  promise('2.11f', 'tell which list of which server changed', async () => {
    for (const era of ['legacy', 'modern']) {
      await using host = await createHost({ config: { servers: { demo: trusted(testServer('--era', era)) } } });
      await Promise.all([host.tools(), host.resources(), host.prompts()]);
      for (const [list, tool, args] of [
        ['tools', 'add_tool', { name: 'fresh' }],
        ['prompts', 'add_prompt', { name: 'fresh' }],
        ['resources', 'add_resource', { uri: 'demo://fresh' }],
      ] as const) {
        const changed = new Promise<HostEvent>(resolve => {
          const stop = host.events.on('list-changed', event => {
            stop();
            resolve(event);
          });
        });
        await host.call({ server: 'demo', tool }, args);
        expect(await changed).toEqual({ type: 'list-changed', server: 'demo', list });
      }
    }
  });

  promise('9.12b', 'have names of words with hyphens, and carry the keys that are promised', async () => {
    await using door = await serveMisbehaving(lockedBehindSignIn);
    await using host = await createHost({
      attempts: 1,
      serverLogLevel: 'info',
      config: {
        servers: {
          demo: trusted(testServer()),
          locked: { transport: 'http', url: door.url },
          broken: misbehaving('dies-early'),
        },
      },
    });
    const heard = new Map<string, HostEvent>();
    host.events.listen(event => heard.set(event.type, event));
    await host.start();
    await host.tools();
    await host.call('mcp__demo__log', { level: 'warning', text: 'hi' });
    await host.call('mcp__demo__slow', { ms: 60 });
    await host.call('mcp__demo__add_tool', { name: 'fresh' });
    const promised: Readonly<Record<string, readonly string[]>> = {
      'startup-update': ['server', 'status'],
      'startup-complete': ['servers', 'failed'],
      'tool-call-begin': ['server', 'tool', 'call_id'],
      'tool-call-progress': ['server', 'tool', 'call_id', 'progress'],
      'tool-call-end': ['server', 'tool', 'call_id', 'result', 'is_error'],
      'list-changed': ['server', 'list'],
      'auth-required': ['server'],
      'log-message': ['server', 'level', 'data'],
      'state-changed': ['server', 'state'],
    };
    await expect.poll(() => Object.keys(promised).filter(type => !heard.has(type))).toEqual([]);
    for (const type of heard.keys()) expect(type).toMatch(/^[a-z]+(-[a-z]+)+$/);
    for (const [type, keys] of Object.entries(promised)) {
      expect([type, Object.keys(heard.get(type) as object)]).toEqual([type, expect.arrayContaining(['type', ...keys])]);
    }
  });

  promise('2.8j', 'of progress rise, whatever the server counts: in the library and over the wire', async () => {
    const servers = { s: trusted(misbehaving('progress-falls')) };
    await using host = await createHost({ config: { servers } });
    const heard: number[] = [];
    host.events.on('tool-call-progress', ({ progress }) => heard.push(progress));
    await host.call('mcp__s__work');
    expect([heard.length, rises(heard)]).toEqual([6, true]);
    await using home = await makeHome();
    await using hub = await startHub(home, { version: 1, servers });
    const client = await RawClient.open(hub, '/mcp/codex');
    const messages = await client.call(1, 's_work', {}, { progressToken: 'mine' });
    const told = messages.slice(0, -1).map(({ params }) => params as { progressToken: string; progress: number });
    expect(told.map(({ progressToken }) => progressToken)).toEqual(Array(6).fill('mine'));
    expect(rises(told.map(({ progress }) => progress))).toBe(true);
  });
});
