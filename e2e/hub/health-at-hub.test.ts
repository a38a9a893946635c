/** The rules of pings and of connecting hold at a hub as they do in the library. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeHome, misbehaving, promise, startHub, trusted } from '@junctor/testkit';
import { expect } from 'vitest';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

const textIn = (messages: readonly { result?: object }[]): string =>
  (messages.at(-1)?.result as { content: { text: string }[] } | undefined)?.content[0]?.text ?? '';

promise(
  ['2.7n', '2.7o'],
  'a busy server is not ended for missed pings at a hub, a silent one is tried once',
  async () => {
    await using home = await makeHome();
    const starts = join(home.path, 'starts');
    const silent = {
      transport: 'stdio',
      command: '/bin/sh',
      args: ['-c', `echo started >> '${starts}'; exec cat > /dev/null`],
      connect_timeout_ms: 300,
    };
    await using hub = await startHub(home, {
      version: 1,
      servers: { busy: { ...trusted(misbehaving('late-pings')), mode: 'shared' }, silent },
      health: { ping_interval_ms: 50, ping_timeout_ms: 1000 },
    });
    const client = await RawClient.open(hub, '/mcp/codex');
    const pid = textIn(await client.call(1, 'busy_pid', {}));
    expect(pid).toMatch(/^\d+$/);
    expect(textIn(await client.call(2, 'busy_work', { ms: 3300 }))).toBe(pid);
    expect(textIn(await client.call(3, 'busy_pid', {}))).toBe(pid);
    const { servers } = (await rest(hub, '/api/status')).body;
    expect(servers.find(({ id }: { id: string }) => id === 'silent')).toMatchObject({
      state: 'error',
      last_error: { code: 'timeout' },
    });
    expect(await readFile(starts, 'utf8')).toBe('started\n');
  },
);
