/** What is kept of large arguments, in the inbox and in the audit; and how many questions one token may have open. */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { junctor, promise } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { answer, waiting, withHub } from './asking.ts';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

const SECRET = 'hunter2-hunter2';
const sha256 = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

describe('large arguments of a call that needs approval', () => {
  promise(['10.8h', '10.8i'], 'can be read while it waits, and are kept by one rule afterwards', async () => {
    await withHub(async (hub, home) => {
      const client = await RawClient.open(hub, '/mcp/codex');
      const databaseBytes = async () => {
        const sizes = ['hub.db', 'hub.db-wal'].map(name => stat(join(home.data, name)).then(({ size }) => size));
        return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      };
      const cases = [
        { password: SECRET, text: 'x'.repeat(100_000), end: 'the-end' },
        { text: 'y'.repeat(8 * 1024 * 1024), password: SECRET, end: 'the-end' },
      ];
      for (const [index, args] of cases.entries()) {
        const before = await databaseBytes();
        const call = client.call(index, 'demo_echo', args);
        const [open] = await waiting(hub, 1);
        const whole = JSON.stringify(args).length;
        const cut = { characters: whole, sha256: sha256(args) };
        const { approvals } = (await rest(hub, '/api/approvals')).body;
        expect(approvals[0].arguments_cut).toEqual(cut);
        expect(approvals[0].arguments).toHaveLength(4000);
        const { body } = await rest(hub, `/api/approvals/${open?.id}/arguments`);
        expect(body.complete).toBe(whole < 1024 * 1024);
        expect([body.text.endsWith('"the-end"}'), body.text.includes(SECRET)]).toEqual([true, false]);
        const shown = await junctor(home, ['approvals', 'show', open?.id.slice(0, 8) as string, '--data', home.data]);
        expect([shown.code, shown.stdout.includes('the-end'), shown.stdout.includes(SECRET)]).toEqual([0, true, false]);
        await answer(hub, open?.id as string, { answer: 'deny' });
        await call;
        const settled = (await rest(hub, '/api/approvals?state=all')).body.approvals[0];
        expect([settled.arguments.length, settled.arguments_cut]).toEqual([4000, cut]);
        expect((await rest(hub, `/api/approvals/${open?.id}/arguments`)).status).toBe(404);
        const audited = (await rest(hub, '/api/calls')).body.calls[0].arguments as string;
        expect(audited).toBe(`${settled.arguments}… (${cut.characters} characters, sha256 ${cut.sha256})`);
        expect(audited).not.toContain(SECRET);
        // What is readable while it waits is bounded, whatever the size of the call.
        expect((await databaseBytes()) - before).toBeLessThan(4 * 1024 * 1024);
      }
    });
  });
});

describe('an agent that asks for too much at once', () => {
  promise('10.8j', 'is refused, and others are still asked about', async () => {
    await withHub(async hub => {
      const [codex, cursor] = await Promise.all(
        ['codex', 'cursor'].map(async agent => {
          const { body } = await rest(hub, '/api/tokens', { method: 'POST', body: { agent } });
          const as = { fetch: (path: string, init?: RequestInit) => hub.fetch(path, { ...init, token: body.token }) };
          return RawClient.open(as, `/mcp/${agent}`);
        }),
      );
      const calls = Array.from({ length: 50 }, (_, at) => codex?.call(`n${at}`, 'demo_echo', { text: `${at}` }));
      await waiting(hub, 50);
      const [refused] = (await codex?.call('more', 'demo_echo', { text: 'more' })) ?? [];
      expect(JSON.stringify(refused)).toContain('too many calls wait already');
      const other = cursor?.call(1, 'demo_echo', { text: 'other' });
      const open = await waiting(hub, 51);
      for (const { id } of open) await answer(hub, id, { answer: 'deny' });
      await Promise.all([...calls, other]);
    });
  });
});
