import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { configOf, post, rest } from './rest-client.ts';
import { withHub } from './rest-hub.ts';

describe('what is wrong', () => {
  promise('5.2g', 'is refused with the place and the fix, all of it at once, and changes nothing', async () => {
    await withHub(
      async hub => {
        const before = await configOf(hub, 'codex');
        const wrong = {
          enabled: true,
          servers: {
            a: { type: 'stdio' },
            b: { type: 'smoke' },
            c: { transport: 'stdio', command: 'x' },
            d: { type: 'http', url: 'ftp://x' },
            e: { type: 'stdio', command: 'x', comand: 'y' },
            'f g': { type: 'stdio', command: 'x' },
            h: 7,
            good: { type: 'stdio', command: 'x' },
          },
        };
        const { status, body } = await post(hub, 'codex', wrong);
        expect([status, body.error.code]).toEqual([400, 'config_invalid']);
        const problems = body.error.problems as { path: string; message: string; fix: string }[];
        const at = Object.fromEntries(problems.map(({ path, message, fix }) => [path, `${message} ${fix}`]));
        expect(at).toMatchObject({
          'servers.a.command': `Missing 'command' in stdio server 'a'. Add the program to start, or set type to "http".`,
          'servers.b.type': expect.stringMatching(/Unknown transport "smoke".*Set type to one of/),
          'servers.c.transport': "Unknown key 'transport' in server 'c'. Did you mean 'type'?",
          'servers.d.url': expect.stringContaining('starts with http:// or https://'),
          'servers.e.comand': expect.stringContaining("Did you mean 'command'?"),
          'servers.f g': expect.stringContaining('cannot be a server id'),
          'servers.h': expect.stringContaining('is not an object'),
        });
        expect(problems.some(({ path }) => path.includes('good'))).toBe(false);
        const others: [unknown, string][] = [
          [{ servers: {} }, 'enabled'],
          [{ enabled: true }, 'servers'],
          [{ enabled: 'yes', servers: {} }, 'enabled'],
          [{ enabled: true, servers: [] }, 'servers'],
          [{ enabled: true, servers: {}, server: {} }, 'server'],
          [{ enabled: true, servers: {}, meta: { a: { title: 'A' } } }, 'meta.a.title'],
          [{ enabled: true, servers: {}, agent_id: 'cursor' }, 'agent_id'],
          [[], ''],
        ];
        for (const [sent, path] of others) {
          const refused = await post(hub, 'codex', sent);
          expect([refused.status, refused.body.error.problems[0].path]).toEqual([400, path]);
        }
        expect(await configOf(hub, 'codex')).toEqual(before);
      },
      { startup: { connect: 'lazy' } },
    );
  });

  test('a shared program is refused unless the proxy is on; a transport the executor does not allow is a warning', async () => {
    await withHub(
      async hub => {
        const shared = { enabled: true, servers: { a: { type: 'stdio', command: 'x', mode: 'shared' } } };
        expect((await post(hub, 'codex', shared)).status).toBe(200);
        const refused = await rest(hub, '/api/mcp-config?agent=codex&executor=docker', {
          method: 'POST',
          body: shared,
        });
        expect(refused.body.error.problems).toEqual([
          {
            path: 'servers.a.mode',
            server: 'a',
            message: "A shared stdio server needs the stdio proxy, which executor 'docker' does not have on.",
            fix: 'Set mode to per_session or auto, or switch stdio_proxy on for that executor.',
          },
        ]);
        await rest(hub, '/api/executors/local', { method: 'PUT', body: { allow_stdio: false } });
        const { body } = await post(hub, 'codex', shared);
        expect(body.warnings).toEqual([{ server: 'a', message: "transport stdio is not allowed by executor 'local'" }]);
      },
      { startup: { connect: 'lazy' } },
    );
  });
});
