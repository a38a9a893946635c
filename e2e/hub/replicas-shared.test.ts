/** A server that sessions share, and several hubs on one database: it runs once, wherever its sessions are. */
import { once } from 'node:events';
import { promise } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { crowdRun } from './crowd-run.ts';
import { onePostgres } from './one-postgres.ts';
import { pidAt, Replicas, textOf } from './replicas.ts';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';
import { sdkPeer } from './sdk-peer.ts';

const { missing, postgres } = onePostgres();

promise('5.9f', 'a shared server runs once for all hubs, and everything reaches its own session', async ({ skip }) => {
  if (missing !== undefined) skip(missing);
  await using replicas = new Replicas(postgres.create('once'));
  const hubs = await Promise.all([replicas.start(), replicas.start(), replicas.start()]);
  const outcome = await crowdRun(hubs, 'demo', { sessions: 12, callsEach: 20 });
  expect(outcome.wrong).toEqual([]);
  expect(outcome.astray).toEqual([]);
  expect(outcome.pids.size).toBe(1);
  expect(replicas.running()).toBe(1);
  // Of a call that went through two hubs one has written it down.
  const counts = await Promise.all(hubs.map(async hub => (await rest(hub, '/api/sessions')).body.sessions.length));
  expect(counts.every(count => count <= 12)).toBe(true);

  // News of lists, and clients of the newer era.
  const peers = await Promise.all(hubs.map(hub => sdkPeer(hub, '/mcp/codex', { era: 'legacy' })));
  const [first, ...others] = peers;
  for (const { client } of peers) await client.listTools();
  await first?.client.callTool({ name: 'demo_add_tool', arguments: { name: 'later' } });
  for (const { heard } of others)
    await expect.poll(() => heard.map(({ method }) => method)).toContain('notifications/tools/list_changed');
  for (const hub of hubs) {
    await using modern = await sdkPeer(hub, '/mcp/cursor', { era: 'modern', name: 'Eve' });
    expect(await modern.client.callTool({ name: 'demo_ask_person', arguments: {} })).toMatchObject({
      structuredContent: { action: 'accept', content: { name: 'Eve' } },
    });
  }
  for (const peer of peers) await peer[Symbol.asyncDispose]();
  // Its door is for hubs alone.
  const guess = await hubs[0].fetch(`/peers/${'0'.repeat(64)}`);
  expect(guess.status).toBe(404);
});

promise(
  '5.9f',
  'when the hub that runs it is killed, another one does, and each call has a definite end',
  async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    await using replicas = new Replicas(postgres.create('taken'));
    const [first, second, third] = [await replicas.start(), await replicas.start(), await replicas.start()];
    const before = await pidAt(first);
    const client = await RawClient.open(second, '/servers/demo/mcp');
    expect(textOf(await client.call(1, 'pid', {}))).toBe(before);
    await using waiting = await sdkPeer(third, '/servers/demo/mcp', { era: 'legacy' });
    const begun = Promise.withResolvers<void>();
    const slow = waiting.client
      .callTool({ name: 'slow', arguments: { ms: 20_000 } }, { onprogress: () => begun.resolve() })
      .then(String, error => (error as Error).message);
    await begun.promise;

    first.process.kill('SIGKILL');
    await once(first.process, 'exit');
    const after = textOf(await client.call(2, 'pid', {}));
    expect(after).toMatch(/^\d+$/);
    expect(after).not.toBe(before);
    expect([await pidAt(second), await pidAt(third)]).toEqual([after, after]);
    await expect.poll(() => replicas.running()).toBe(1);
    // It was sent, and nobody knows what became of it: it is not sent again.
    expect(await slow).toContain("The hub that ran server 'demo' is gone.");
    const ended = async (): Promise<unknown> =>
      (await rest(third, '/api/calls?tool=slow')).body.calls.map(({ outcome }: { outcome: string }) => outcome);
    await expect.poll(ended).toEqual(['unknown']);
  },
);

test.skipIf(missing)('a hub that ends leaves it to another, which begins it once it has ended', async () => {
  await using replicas = new Replicas(postgres.create('left'));
  const [first, second] = [await replicas.start(), await replicas.start()];
  const client = await RawClient.open(second, '/servers/demo/mcp');
  const before = textOf(await client.call(1, 'pid', {}));
  expect(await pidAt(first)).toBe(before);
  await first[Symbol.asyncDispose]();
  const after = textOf(await client.call(2, 'pid', {}));
  expect(after).toMatch(/^\d+$/);
  expect(after).not.toBe(before);
  expect(replicas.running()).toBe(1);
});
