import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeHome, promise, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { fragileServer } from '@junctor/testkit/peers';
import { describe, expect, test } from 'vitest';
import { Restartable } from '../connections/restartable.ts';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

const demo = trusted(testServer());

interface AuditRow {
  readonly tool: string;
  readonly outcome: string;
  readonly code: string | null;
}

async function audit(hub: RunningHub): Promise<AuditRow[]> {
  return (await rest(hub, '/api/calls')).body.calls;
}

async function said(client: RawClient, tool: string): Promise<string> {
  const messages = await client.call(1, tool, {});
  return (messages.at(-1) as { result: { content: [{ text: string }] } }).result.content[0].text;
}

async function kill(hub: RunningHub): Promise<void> {
  const over = new Promise(resolve => hub.process.once('exit', resolve));
  hub.process.kill('SIGKILL');
  await over;
}

describe('at the hub a call', () => {
  promise(
    ['7.11b', '7.11f'],
    'that was sent to a server which died ends as unknown, and is not sent again',
    async () => {
      await using home = await makeHome();
      const diary = join(home.path, 'diary');
      await using hub = await startHub(home, { servers: { shop: fragileServer(diary) } });
      const client = await RawClient.open(hub, '/mcp/codex');
      expect(await said(client, 'shop_pay')).toContain('(connection_lost)');
      expect(await audit(hub)).toMatchObject([{ tool: 'pay', outcome: 'unknown', code: 'connection_lost' }]);
      expect(await said(client, 'shop_pay')).toBe('call 2');
      expect(await readFile(diary, 'utf8')).toBe('pay\npay\n');
    },
  );

  for (const door of ['/mcp/codex', '/servers/shop/mcp'])
    promise('7.11e', `that does no harm twice is sent again after its server died, by ${door}`, async () => {
      await using home = await makeHome();
      const diary = join(home.path, 'diary');
      await using hub = await startHub(home, { servers: { shop: fragileServer(diary) } });
      // What a server says of its tools is known once they were listed.
      await expect.poll(async () => (await hub.fetch('/api/tools')).text()).toContain('readOnlyHint');
      const client = await RawClient.open(hub, door);
      expect(await said(client, door.startsWith('/mcp') ? 'shop_look' : 'look')).toBe('call 2');
      expect(await readFile(diary, 'utf8')).toBe('look\nlook\n');
      expect(await audit(hub)).toMatchObject([{ tool: 'look', outcome: 'done', code: null }]);
    });

  promise(['7.11a', '7.11d'], 'that never left is sent again, or ends as not sent', async () => {
    await using home = await makeHome();
    await using shop = new Restartable();
    const url = await shop.start();
    const servers = { shop: trusted({ transport: 'http', url }) };
    /** A hub that tries so often to reach the shop, at the moment it has noticed that the shop is closed. */
    const whileClosed = async (attempts: number, use: (hub: RunningHub, client: RawClient) => Promise<void>) => {
      await using hub = await startHub(home, { servers, health: { reconnect_attempts: attempts } });
      const client = await RawClient.open(hub, '/mcp/codex');
      await client.messages({ id: 'list', method: 'tools/list' });
      await shop.stop();
      // It reads what comes in order: with these answers it has seen the connections end.
      for (let times = 0; times < 3; times++) await rest(hub, '/api/status');
      await use(hub, client);
    };
    await whileClosed(10, async (hub, client) => {
      const call = said(client, 'shop_pay');
      await expect.poll(async () => (await rest(hub, '/api/calls')).body.running.length).toBe(1);
      await shop.start();
      expect(await call).toBe('paid');
      expect(shop.calls).toBe(1);
    });
    await whileClosed(1, async (hub, client) => {
      expect(await said(client, 'shop_pay')).toMatch(/connection_(failed|lost)/);
      expect((await audit(hub)).map(({ outcome }) => outcome)).toEqual(['not_sent', 'done']);
    });
  });

  promise(
    ['7.11a', '7.11b', '7.11c'],
    'has a definite outcome after a crash of the hub: not sent, unknown, or done',
    async () => {
      await using home = await makeHome();
      const config = { servers: { demo, asks: testServer() } };
      {
        await using hub = await startHub(home, config);
        const client = await RawClient.open(hub, '/mcp/codex');
        await client.call(1, 'demo_echo', { text: 'answered' });
        const open = [
          client.call(2, 'demo_slow', { ms: 60_000 }).catch(() => {}),
          client.call(3, 'asks_echo', { text: 'waits for a yes' }).catch(() => {}),
        ];
        const sent = async () =>
          (await rest(hub, '/api/calls')).body.running.map((call: { sent: boolean }) => call.sent).sort();
        await expect.poll(sent).toEqual([false, true]);
        // The hub knows of a call a moment before its journal does.
        const journal = () => readFile(join(home.data, 'journal', 'calls.journal'), 'utf8');
        await expect.poll(journal).toContain('"asks","echo"');
        expect(await journal()).toContain('"demo","slow"');
        await kill(hub);
        await Promise.all(open);
      }
      await using hub = await startHub(home, config);
      const rows = (await audit(hub)).map(({ tool, outcome }) => `${tool} ${outcome}`);
      expect(rows.sort()).toEqual(['echo done', 'echo not_sent', 'slow unknown']);
      // Nothing of it is sent again by itself: whoever called has gone.
      expect((await rest(hub, '/api/calls')).body.running).toEqual([]);
    },
  );
});

describe('a hub that ends', () => {
  test('lets calls finish, begins none, and leaves a definite outcome for the rest', async () => {
    await using home = await makeHome();
    const servers = { demo };
    {
      await using hub = await startHub(home, { servers }, ['--grace', '6']);
      const client = await RawClient.open(hub, '/mcp/codex');
      const soon = client.call(1, 'demo_slow', { ms: 1000 });
      const never = client.call(2, 'demo_slow', { ms: 60_000 }).catch(() => 'cut');
      await expect.poll(async () => (await rest(hub, '/api/calls')).body.running.length).toBe(2);
      const over = new Promise(resolve => hub.process.once('exit', resolve));
      hub.terminate();
      await expect.poll(async () => (await fetch(`${hub.url}/readyz`)).status).toBe(503);
      const late = await client.call(3, 'demo_echo', { text: 'late' });
      expect(JSON.stringify(late)).toContain('hub_closing');
      expect(JSON.stringify(await soon)).toContain('"result"');
      await over;
      await never;
    }
    await using hub = await startHub(home, { servers });
    expect((await audit(hub)).map(({ tool, outcome }) => `${tool} ${outcome}`).sort()).toEqual([
      'slow done',
      'slow unknown',
    ]);
  });
});
