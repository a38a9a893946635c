/** A call that never left the hub says so, whatever ended it: whoever made it may make it again without fear. */
import { join } from 'node:path';
import { type Home, makeHome, misbehaving, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

const JSON_BODY = { 'content-type': 'application/json' };

/** A server of which each session has a life of its own. Only the first one, which lists the tools, ever answers. */
function answersOnce(home: Home, name: string, later = 'exec cat > /dev/null') {
  const { command, args } = testServer();
  const script = `if [ -e "$0" ]; then ${later}; fi; touch "$0"; exec "$@"`;
  const words = ['-c', script, join(home.path, `${name}.began`), command, ...args];
  return trusted({ transport: 'stdio', command: '/bin/sh', args: words, mode: 'per_session' });
}

async function running(hub: RunningHub): Promise<{ tool: string; sent: boolean }[]> {
  return (await rest(hub, '/api/calls')).body.running;
}

async function outcomes(hub: RunningHub): Promise<string[]> {
  const { calls } = (await rest(hub, '/api/calls')).body;
  return calls.map(({ server, outcome, code }: Record<string, string>) => `${server} ${outcome} ${code}`).sort();
}

test('a call that ends while its server is still being started was not sent', async () => {
  await using home = await makeHome();
  const config = {
    servers: {
      given_up: answersOnce(home, 'given_up'),
      dies: answersOnce(home, 'dies', 'exit 1'),
      closing: answersOnce(home, 'closing'),
      denied: trusted(testServer()),
      never: trusted(misbehaving('never-answers')),
    },
    agents: { codex: { servers: ['given_up', 'dies', 'closing', 'denied'] } },
    health: { reconnect_attempts: 0 },
    permissions: { deny: ['mcp__denied__*'] },
  };
  {
    await using hub = await startHub(home, config, ['--grace', '1']);
    // The lives that list the tools become those of the first session.
    const first = await RawClient.openFirst(hub, '/mcp/codex');
    for (const server of ['given_up', 'dies', 'closing']) await first.call(server, `${server}_echo`, { text: 'x' });
    const client = await RawClient.openFirst(hub, '/mcp/codex');
    const cancelled = client.call('cancel me', 'given_up_echo', { text: 'x' });
    await expect.poll(() => running(hub)).toMatchObject([{ server: 'given_up', sent: false }]);
    await client.post({ method: 'notifications/cancelled', params: { requestId: 'cancel me' } });
    await cancelled;
    expect(await running(hub)).toEqual([]);
    await client.call(1, 'dies_echo', { text: 'x' });
    await client.call(2, 'denied_echo', { text: 'x' });
    const person = new AbortController();
    const body = JSON.stringify({ server: 'never', tool: 'echo' });
    const byHand = hub.fetch('/api/calls', { method: 'POST', body, headers: JSON_BODY, signal: person.signal });
    await expect.poll(() => running(hub)).toMatchObject([{ server: 'never', sent: false }]);
    person.abort();
    await byHand.then(answer => answer.text()).catch(() => {});
    await expect.poll(() => running(hub)).toEqual([]);
    const cut = client.call(3, 'closing_echo', { text: 'x' }).catch(() => {});
    await expect.poll(() => running(hub)).toMatchObject([{ server: 'closing', sent: false }]);
    hub.terminate();
    await cut;
  }
  await using hub = await startHub(home, { servers: {} });
  expect(await outcomes(hub)).toEqual([
    'closing done null',
    'closing not_sent cancelled',
    'denied not_sent permission_denied',
    'dies done null',
    'dies not_sent connection_failed',
    'given_up done null',
    'given_up not_sent cancelled',
    'never not_sent cancelled',
  ]);
});
