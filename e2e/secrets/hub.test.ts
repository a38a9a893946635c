/** Nothing that leaves a hub holds a secret, in whatever form: answers, logs, the database, copies of it. */
import { join } from 'node:path';
import { junctor, makeHome, promise, startHub } from '@junctor/testkit';
import { expect } from 'vitest';
import { readOpenApi } from '../hub/openapi.ts';
import { asPosted, rest } from '../hub/rest-client.ts';
import { RawClient } from '../hub/rpc.ts';
import { leaksIn, leaksInCommandLines, leaksInFiles, PLANTED, plant, SHELL, tellingServer } from './planted.ts';

const SPOKEN = { password: PLANTED.callArgument, note: `Authorization: Bearer ${PLANTED.store}` };

promise(
  '12.6n',
  'SEC-L2: a hub shows, logs and keeps no planted secret, in any encoding',
  async () => {
    await using home = await makeHome();
    await using telling = await tellingServer();
    const { servers } = await plant(home, telling);
    const leaks: string[] = [];
    const hubHome = { ...home, env: { ...home.env, ...SHELL } };
    const config = { version: 1, servers, permissions: { ask: ['mcp__gossip__say'] } };
    const hub = await startHub(hubHome, config, ['--debug']);
    await using _ = hub;
    const get = async (path: string): Promise<void> => {
      const answer = await hub.fetch(path, { headers: { accept: '*/*' } });
      const headers = JSON.stringify([...answer.headers]);
      leaks.push(...leaksIn(`GET ${path}`, headers + (await answer.text())));
    };
    const stop = new AbortController();
    let events = '';
    const following = (async () => {
      const stream = await hub.fetch('/api/events', { signal: stop.signal });
      for await (const piece of stream.body ?? []) events += Buffer.from(piece).toString();
    })().catch(() => {});

    // An agent with a server of its own, and calls that fail, die, and wait.
    const own = asPosted({ ...(servers.gossip as { transport: string }), env: { GIVEN_API_KEY: PLANTED.variable } });
    const stored = await rest(hub, '/api/mcp-config?agent=cursor', {
      method: 'POST',
      body: { enabled: true, servers: { own } },
    });
    leaks.push(...leaksIn('the answer to a stored config', JSON.stringify(stored)));
    const client = await RawClient.open(hub, '/mcp/codex');
    await client.messages({ id: 1, method: 'tools/list', params: {} });
    const atCursor = await RawClient.open(hub, '/mcp/cursor');
    await atCursor.call(1, 'own_tell', SPOKEN);
    for (const [at, tool] of ['gossip_tell', 'gossip_die', 'gossip_tell', 'telling_any'].entries())
      await client.call(`c${at}`, tool, SPOKEN);
    const asked = client.call('asked', 'gossip_say', SPOKEN).catch(() => {});
    await expect.poll(async () => (await rest(hub, '/api/approvals')).body.approvals.length).toBe(1);
    for (const id of ['dying', 'telling', 'address', 'signed'])
      leaks.push(...leaksIn(`/servers/${id}`, await failureAt(hub, id)));
    leaks.push(...(await leaksInCommandLines()));

    const { paths } = await readOpenApi(hub);
    const plain = Object.keys(paths).filter(path => paths[path]?.get && !path.includes('{') && path !== '/api/events');
    const approval = (await rest(hub, '/api/approvals')).body.approvals[0];
    const calls = (await rest(hub, '/api/calls')).body.calls as { id: string }[];
    const named = [
      `/api/approvals/${approval.id}/arguments`,
      ...calls.map(({ id }) => `/api/calls/${id}`),
      ...['csv', 'jsonl'].map(format => `/api/calls/export?format=${format}`),
      ...['gossip', 'dying', 'telling', 'address', 'signed'].map(id => `/api/servers/${id}`),
      ...['/api/mcp-config?agent=cursor', '/api/explain?server=gossip', '/api/explain?server=address'],
      ...['/metrics', '/healthz', '/readyz', '/api/approvals?state=all', '/api/nothing', '/mcp/nobody'],
    ];
    for (const path of [...plain, ...named]) await get(path);
    await rest(hub, `/api/approvals/${approval.id}`, { method: 'POST', body: { answer: 'deny' } });
    await asked;
    for (const words of [['calls'], ['audit'], ['approvals', '--all'], ['sessions'], ['hub', 'status']]) {
      const { stdout, stderr } = await junctor(home, [...words, '--json', '--data', home.data]);
      leaks.push(...leaksIn(words.join(' '), stdout + stderr));
    }
    await junctor(home, ['hub', 'backup', join(home.path, 'copy'), '--data', home.data]);
    stop.abort();
    await following;
    hub.terminate();
    await expect.poll(() => hub.process.exitCode ?? hub.process.signalCode).not.toBeNull();
    // With --debug the log holds what servers say, also where one repeats the arguments of a call (docs/threat-model.md).
    leaks.push(...leaksIn('the log', hub.stderr(), ['callArgument']));
    leaks.push(...leaksIn('events', events), ...(await leaksInFiles(home)));
    expect(events, 'events were heard').toContain('tool-call-end');
    expect(hub.stderr(), 'the log is whole').toContain('tools/call');
    expect(leaks).toEqual([]);
  },
  240_000,
);

/** How the endpoint of a server that cannot be used says so. */
async function failureAt(hub: Parameters<typeof rest>[0], id: string): Promise<string> {
  const opened = await hub.fetch(`/servers/${id}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    }),
  });
  const session = opened.headers.get('mcp-session-id') ?? '';
  const listed = await hub.fetch(`/servers/${id}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': session,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} }),
  });
  return (await opened.text()) + (await listed.text());
}
