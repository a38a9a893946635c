import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { everything, promise, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { asPosted, configOf, post, rest } from './rest-client.ts';
import { withHub } from './rest-hub.ts';
import { RawClient } from './rpc.ts';

describe('a secret', () => {
  promise(
    '5.2d',
    'that is posted as plain text comes back as a reference, lies in no file as text, and works',
    async () => {
      await withHub(async (hub, home) => {
        const env = { API_TOKEN: 'tok-0123456789', PLAIN: 'seen' };
        const mine = asPosted({ ...trusted(everything()), env });
        const web = {
          type: 'http',
          url: 'http://localhost:1/mcp',
          headers: { Authorization: 'Bearer hdr-0123456789' },
        };
        const { body } = await post(hub, 'codex', { enabled: true, servers: { mine, web } });
        const read = (await configOf(hub, 'codex')).body.servers;
        const reference = /^\$\{secret:([\w.-]+)\}$/.exec(read.mine.env.API_TOKEN)?.[1] as string;
        expect([read.mine.env.PLAIN, read.web.headers.Authorization]).toEqual([
          'seen',
          expect.stringMatching(/^Bearer \$\{secret:[\w.-]+\}$/),
        ]);
        expect(body.secrets).toContain(reference);
        const client = await RawClient.open(hub, '/mcp/codex');
        const [answer] = await client.call(1, 'mine_get-env', {});
        expect(JSON.stringify(answer)).toContain('tok-0123456789');
        for (const file of ['hub.db', 'hub.db-wal', 'secrets.json']) {
          const bytes = await readFile(join(home.data, file));
          expect([file, bytes.includes('tok-0123456789'), bytes.includes('hdr-0123456789')]).toEqual([
            file,
            false,
            false,
          ]);
        }
        // What was read can be posted again, and a secret that nothing names any more is forgotten.
        expect((await post(hub, 'codex', { enabled: true, servers: { mine: read.mine } })).status).toBe(200);
        const kept = await readFile(join(home.data, 'secrets.json'), 'utf8');
        expect([kept.includes(reference), kept.includes('web.Authorization')]).toEqual([true, false]);
      });
    },
  );

  test('that a file holds as plain text is masked, and stays what it was when it is posted back', async () => {
    const servers = { mine: { ...trusted(everything()), env: { API_TOKEN: 'tok-0123456789' } } };
    await withHub(
      async hub => {
        const { body } = await configOf(hub, 'codex');
        expect(body.servers.mine.env.API_TOKEN).toBe('•••');
        expect(
          (await post(hub, 'codex', { ...body, servers: { ...body.servers, more: body.servers.mine } })).body.error,
        ).toMatchObject({
          code: 'config_invalid',
          problems: [{ path: 'servers.more.env.API_TOKEN', message: expect.stringContaining('masked') }],
        });
        expect((await post(hub, 'codex', body)).status).toBe(200);
        const client = await RawClient.open(hub, '/mcp/codex');
        const [answer] = await client.call(1, 'mine_get-env', {});
        expect(JSON.stringify(answer)).toContain('tok-0123456789');
        expect((await configOf(hub, 'codex')).body.servers.mine.env.API_TOKEN).toMatch(/^\$\{secret:/);
      },
      { servers },
    );
  });
});

describe('two editors', () => {
  const one = { enabled: true, servers: { one: { type: 'stdio', command: 'a' } } };
  const two = { enabled: true, servers: { two: { type: 'stdio', command: 'b' } } };

  promise('5.2f', 'do not overwrite each other: a stale If-Match is refused and changes nothing', async () => {
    await withHub(
      async hub => {
        const read = await configOf(hub, 'codex');
        const first = await post(hub, 'codex', one, { 'if-match': read.etag as string });
        expect(first.status).toBe(200);
        const second = await post(hub, 'codex', two, { 'if-match': read.etag as string });
        expect([second.status, second.body.error.code]).toEqual([412, 'edit_outdated']);
        expect((await configOf(hub, 'codex')).body.servers).toEqual(one.servers);
        expect((await configOf(hub, 'codex')).etag).toBe(first.etag);
        expect((await post(hub, 'codex', two, { 'if-match': first.etag as string })).status).toBe(200);
        // Not required; `*` is any; and nothing is sent to who has it already.
        expect((await post(hub, 'codex', one)).status).toBe(200);
        expect((await post(hub, 'codex', two, { 'if-match': '*' })).status).toBe(200);
        expect((await post(hub, 'codex', one, { 'if-none-match': '*' })).status).toBe(412);
        const { etag } = await configOf(hub, 'codex');
        const again = await rest(hub, '/api/mcp-config?agent=codex', { headers: { 'if-none-match': etag as string } });
        expect([again.status, again.body]).toEqual([304, undefined]);
        // Ten at once with one tag: one of them is first.
        const rush = Array.from({ length: 10 }, (_, count) =>
          post(
            hub,
            'codex',
            { enabled: true, servers: { [`n${count}`]: { type: 'stdio', command: 'c' } } },
            { 'if-match': etag as string },
          ),
        );
        const statuses = (await Promise.all(rush)).map(({ status }) => status).sort();
        expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 412)]);
      },
      { startup: { connect: 'lazy' } },
    );
  });
});
