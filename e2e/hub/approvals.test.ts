import { DatabaseSync } from 'node:sqlite';
import { junctor, makeHome, promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { ASKING, answer, resultOf, said, verdicts, type Waiting, waiting, withHub } from './asking.ts';
import { handClock } from './hand-clock.ts';
import { startHubHere } from './hub-here.ts';
import { describedRest, readOpenApi } from './openapi.ts';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

describe('calls that no rule decides about', () => {
  promise(
    ['5.2j', '7.3a', '7.3d', '3.4o'],
    'of every agent wait in one inbox, secrets masked, and are answered over REST, as the OpenAPI document says',
    async () => {
      await withHub(async hub => {
        const described = describedRest(await readOpenApi(hub));
        const [codex, cursor] = [await RawClient.open(hub, '/mcp/codex'), await RawClient.open(hub, '/mcp/cursor')];
        const server = await RawClient.open(hub, '/servers/demo/mcp');
        const first = codex.call(1, 'demo_echo', { text: 'one', password: 'hunter2' });
        await waiting(hub, 1);
        const second = cursor.call(1, 'demo_echo', { text: 'two' });
        await waiting(hub, 2);
        const third = server.call(1, 'echo', { text: 'three' });
        const open = await waiting(hub, 3);
        expect(open.map(({ agent, arguments: args }) => [agent, args])).toEqual([
          ['codex', { text: 'one', password: '•••' }],
          ['cursor', { text: 'two' }],
          [null, { text: 'three' }],
        ]);
        const { approvals } = (await described(hub, '/api/approvals?agent=cursor')).body;
        expect(approvals).toEqual([
          {
            id: open[1]?.id,
            agent: 'cursor',
            client: 'raw',
            project: null,
            session: cursor.session,
            server: 'demo',
            tool: 'echo',
            arguments: { text: 'two' },
            because: 'the rule ask mcp__demo__*',
            asked: expect.any(String),
            expires: expect.any(String),
            outcome: null,
            answered: null,
            by: null,
            note: null,
          },
        ]);
        const post = (index: number, body: unknown) =>
          described(hub, `/api/approvals/${open[index]?.id}`, { method: 'POST', body });
        expect((await post(0, { answer: 'once' })).status).toBe(200);
        expect((await post(1, { answer: 'deny', note: 'Use the file instead.' })).status).toBe(200);
        expect((await post(2, { answer: 'perhaps' })).status).toBe(400);
        expect((await post(2, { answer: 'once', note: 'x' })).status).toBe(400);
        expect((await post(2, { answer: 'once', from: 'page' })).status).toBe(200);
        expect((await post(2, { answer: 'once' })).status).toBe(409);
        expect((await described(hub, '/api/approvals/none', { method: 'POST', body: { answer: 'once' } })).status).toBe(
          404,
        );
        expect(resultOf(await first)).toEqual(said('one'));
        expect(resultOf(await second)).toEqual({
          ...said('demo/echo was denied by a person: Use the file instead. (permission_denied)'),
          isError: true,
        });
        expect(resultOf(await third)).toEqual(said('three'));
        expect(await verdicts(hub)).toEqual(
          expect.arrayContaining([
            ['once', 'answered over REST', 'done', null],
            ['deny', 'answered over REST', 'not_sent', 'permission_denied'],
            ['once', 'answered over REST', 'done', null],
          ]),
        );
        const past = (await described(hub, '/api/approvals?state=all')).body.approvals;
        expect(past.map(({ outcome, by, note }: Record<string, string>) => [outcome, by, note])).toEqual([
          ['once', 'over REST', null],
          ['deny', 'over REST', 'Use the file instead.'],
          ['once', 'over REST', null],
        ]);
      });
    },
  );

  promise(
    ['7.3b', '8.14b', '8.14c', '7.3f', '7.3g'],
    'are listed and answered in the terminal: once, for the session, for a pattern, for always; and revoked',
    async () => {
      await withHub(async (hub, home) => {
        const run = async (...words: string[]) => junctor(home, ['approvals', ...words, '--data', home.data]);
        expect((await run()).stdout).toBe('no call waits for a yes\n');
        const codex = await RawClient.open(hub, '/mcp/codex');
        const call = (text: string) => codex.call(text, 'demo_echo', { text }).then(resultOf);
        const ask = async (text: string, ...words: string[]) => {
          const calling = call(text);
          const [open] = (await waiting(hub)) as [Waiting];
          const listed = await run();
          expect(listed.stdout).toMatch(
            new RegExp(
              `^ID +AGENT +TOOL +ARGUMENTS +STATE\n${open.id.slice(0, 8)} +codex +demo/echo +.*waits, \\d+ s left\n$`,
            ),
          );
          expect(JSON.parse((await run('--json')).stdout).approvals).toMatchObject([{ id: open.id, agent: 'codex' }]);
          const answered = await run('answer', open.id.slice(0, 8), ...words);
          return [answered.code, answered.stdout.replace(open.id, 'ID'), await calling];
        };
        expect(await ask('a', 'once')).toEqual([0, 'allowed ID: once\n', said('a')]);
        expect(await ask('b', 'deny', '--note', 'Not today.')).toEqual([
          0,
          'denied ID\n',
          {
            ...said('demo/echo was denied by a person: Not today. (permission_denied)'),
            isError: true,
          },
        ]);
        expect(await ask('/tmp/c', 'always', '--when', 'text=/tmp/*')).toEqual([
          0,
          'allowed ID: always\n',
          said('/tmp/c'),
        ]);
        expect(await call('/tmp/d')).toEqual(said('/tmp/d'));
        const grants = await run('grants');
        expect(grants.stdout).toMatch(/demo\/echo +codex +text=\/tmp\/\*/);
        const [grant] = JSON.parse((await run('grants', '--json')).stdout).grants;
        expect((await run('revoke', grant.id)).stdout).toBe(`revoked ${grant.id}: the tool is asked about again\n`);
        expect(await ask('/tmp/e', 'session')).toEqual([0, 'allowed ID: session\n', said('/tmp/e')]);
        expect(await call('f')).toEqual(said('f'));
        // The session is the client's: another one is asked, and so is the same client once it greets anew.
        const other = await RawClient.open(hub, '/mcp/codex');
        const asked = other.call(1, 'demo_echo', { text: 'g' });
        const [open] = (await waiting(hub)) as [Waiting];
        expect((await run('answer', open.id, 'perhaps')).code).toBe(2);
        expect((await run('answer', open.id, 'deny')).code).toBe(0);
        expect(resultOf(await asked)).toMatchObject({ isError: true });
        expect((await run('answer', open.id, 'once')).stderr).toContain('is no longer open');
        expect((await run('--all')).stdout).toContain('deny, in the terminal');
      });
      await using home = await makeHome();
      const alone = await junctor(home, ['approvals', '--data', home.data]);
      expect([alone.code, alone.stderr]).toEqual([
        1,
        expect.stringContaining('No hub runs on this data directory. (hub_required)'),
      ]);
    },
  );

  promise(['3.4m', '7.3h'], 'are denied after five minutes, where nobody answers', async () => {
    await using home = await makeHome();
    const clock = handClock();
    const path = await home.write('hub.json', ASKING);
    await using hub = await startHubHere(home, { path, isolated: true, clock });
    const client = await RawClient.open(hub, '/mcp/codex');
    const calling = client.call(1, 'demo_echo', { text: 'x' });
    await waiting(hub);
    clock.pass(5 * 60_000 - 1);
    await waiting(hub);
    clock.pass(1);
    expect(resultOf(await calling)).toEqual({
      ...said('demo/echo needs approval, and nobody answered within 5 minutes. (approval_required)'),
      isError: true,
    });
    expect(await waiting(hub, 0)).toEqual([]);
    const late = (await rest(hub, '/api/approvals?state=all')).body.approvals[0];
    expect(late.outcome).toBe('expired');
    expect((await answer(hub, late.id, { answer: 'once' })).status).toBe(409);
    expect(await verdicts(hub)).toEqual([
      ['expired', 'nobody answered within 5 minutes', 'not_sent', 'approval_required'],
    ]);
  });

  promise(['7.3h'], 'are denied at once where the inbox cannot be written', async () => {
    await withHub(async (hub, home) => {
      const client = await RawClient.open(hub, '/mcp/codex');
      await client.messages({ id: 0, method: 'tools/list' });
      const database = new DatabaseSync(`${home.data}/hub.db`);
      database.exec('drop table approvals');
      database.close();
      expect(resultOf(await client.call(1, 'demo_echo', { text: 'x' }))).toEqual({
        ...said(
          'demo/echo needs approval, and the inbox cannot be reached. (approval_required) the database of the hub does not answer',
        ),
        isError: true,
      });
    });
  });

  promise(['7.3i'], 'keep their client alive with progress that never falls, before and after the yes', async () => {
    await withHub(
      async hub => {
        const client = await RawClient.open(hub, '/mcp/codex');
        const params = { name: 'demo_slow', arguments: { ms: 200 }, _meta: { progressToken: 'mine' } };
        const response = await client.post({ id: 1, method: 'tools/call', params });
        const [open] = (await waiting(hub)) as [Waiting];
        let text = '';
        let answered = false;
        for await (const chunk of response.body ?? []) {
          text += Buffer.from(chunk).toString();
          // A second sign of life while nobody has answered yet.
          if (answered || text.split('waiting for a person').length <= 2) continue;
          answered = true;
          expect((await answer(hub, open.id, { answer: 'once' })).status).toBe(200);
        }
        const messages = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data as string));
        const signs = messages.slice(0, -1).map(({ params }) => params as Record<string, unknown>);
        expect(messages.at(-1)?.result).toEqual(said('waited 200 ms'));
        const waits = signs.filter(({ message }) => String(message).startsWith('waiting for a person to approve'));
        expect(waits.length).toBeGreaterThan(1);
        expect(signs.some(({ message }) => message === 'step 10 of 10')).toBe(true);
        const values = signs.map(({ progress }) => Number(progress));
        expect(values.every((value, index) => index === 0 || value > (values[index - 1] as number))).toBe(true);
        expect(new Set(signs.map(({ progressToken }) => progressToken))).toEqual(new Set(['mine']));
      },
      { config: { ...ASKING, health: { heartbeat_ms: 50 } } },
    );
  });

  test('are withdrawn when their client cancels them, or leaves', async () => {
    await withHub(async hub => {
      const client = await RawClient.open(hub, '/mcp/codex');
      const cancelled = client.call(1, 'demo_echo', { text: 'x' });
      await waiting(hub);
      await client.post({ method: 'notifications/cancelled', params: { requestId: 1 } });
      await waiting(hub, 0);
      expect(await cancelled).toEqual([]);
      const left = client.call(2, 'demo_echo', { text: 'x' });
      await waiting(hub);
      await hub.fetch('/mcp/codex', { method: 'DELETE', headers: { 'mcp-session-id': client.session } });
      await waiting(hub, 0);
      expect(await left).toEqual([]);
      expect((await rest(hub, '/api/approvals?state=all')).body.approvals).toMatchObject([
        { outcome: 'withdrawn' },
        { outcome: 'withdrawn' },
      ]);
      expect(await verdicts(hub)).toMatchObject([
        ['ask', expect.any(String), 'not_sent', 'cancelled'],
        ['ask', expect.any(String), 'not_sent', 'cancelled'],
      ]);
    });
  });
});
