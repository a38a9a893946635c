/** docs/teams.md: its hubs are started by its own commands, on an issuer and a PostgreSQL of this machine. */
import { HUB_TOKEN, quietPort } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { startJwtIssuer } from '../hub/jwt-issuer.ts';
import { startPostgres, whyNoPostgres } from '../hub/postgres.ts';
import { RawClient } from '../hub/rpc.ts';
import { blocksOf, followPage } from './run-page.ts';

const PAGE = 'docs/teams.md';
const DATABASE = 'postgres://junctor@db.example.com/junctor';
const missing = whyNoPostgres();

test.skipIf(missing)(`${PAGE}, with hubs, an issuer and a PostgreSQL on this machine`, async () => {
  await using issuer = await startJwtIssuer();
  await using postgres = await startPostgres();
  const ports = [await quietPort(), await quietPort(), await quietPort()];
  const [first] = ports;
  const started: string[] = [];
  await followPage(PAGE, async home => ({
    env: { JUNCTOR_HUB_TOKEN: HUB_TOKEN, JUNCTOR_DATA: home.data },
    standIns: {
      'junctor hub --config team.json --public-url': `junctor hub --port ${first} --config team.json --public-url`,
      'https://login.example.com': issuer.url,
      [DATABASE]: postgres.create('teams'),
      ...Object.fromEntries(
        ports.flatMap((port, at) => ['--port ', '127.0.0.1:'].map(before => [`${before}${7717 + at}`, before + port])),
      ),
    },
    async onStarted(url) {
      started.push(url);
      if (started.length > 1) return;
      const headers = { authorization: `Bearer ${HUB_TOKEN}` };
      const hub = {
        fetch: (path: string, init: RequestInit = {}) =>
          fetch(`${url}${path}`, {
            ...init,
            headers: { ...Object.fromEntries(new Headers(init.headers)), ...headers },
          }),
      };
      await (await RawClient.open(hub, '/mcp/codex')).call(1, 'demo_echo', { text: 'hello' });
    },
  }));
  expect(started).toEqual(ports.map(port => `http://127.0.0.1:${port}`));
  expect(blocksOf(PAGE, 'sh')).toHaveLength(started.length);
});
