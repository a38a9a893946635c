import { createHost, type HostEvent } from '@junctor/core';
import { makeHome, misbehaving, promise, startHub, testServer, trusted } from '@junctor/testkit';
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
