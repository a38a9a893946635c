/** What a person calls by hand over REST runs apart from the sessions of agents: their state and their questions are theirs. */
import { makeHome, misbehaving, promise, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { expect } from 'vitest';
import { rest } from './rest-client.ts';
import { EVERY_FEATURE, RawClient } from './rpc.ts';
import { sdkPeer } from './sdk-peer.ts';

/** What the last line of a call by hand says: the text of its result. */
async function callByHand(hub: RunningHub, server: string, tool: string): Promise<string> {
  const body = JSON.stringify({ server, tool, arguments: {} });
  const headers = { 'content-type': 'application/json' };
  const answer = await hub.fetch('/api/calls', { method: 'POST', headers, body });
  const last = JSON.parse((await answer.text()).trim().split('\n').at(-1) ?? '{}');
  return last.result?.parts?.[0]?.text ?? JSON.stringify(last);
}

const pidIn = (messages: readonly { result?: object }[]): string =>
  (messages.at(-1)?.result as { content: { text: string }[] } | undefined)?.content[0]?.text ?? '';

promise(
  '7.2q',
  'a call by hand does not run in the process of a session, and no session gets its questions',
  async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, {
      version: 1,
      servers: {
        own: { ...trusted(testServer()), mode: 'per_session' },
        asks: { ...trusted(misbehaving('asks-and-holds')), mode: 'shared' },
      },
    });
    // The process that lists tools is the first session's.
    const client = await RawClient.open(hub, '/mcp/codex', { name: 'raw', version: '1' }, EVERY_FEATURE);
    const pid = pidIn(await client.call(1, 'own_pid', {}));
    const byHand = await callByHand(hub, 'own', 'pid');
    expect(byHand).toMatch(/^\d+$/);
    expect(byHand).not.toBe(pid);
    // It is kept for the next call of that person.
    expect(await callByHand(hub, 'own', 'pid')).toBe(byHand);
    expect(pidIn(await client.call(2, 'own_pid', {}))).toBe(pid);
    // An agent has a call at the shared one, and could be taken for the one that is asked.
    await using peer = await sdkPeer(hub, '/mcp/cursor', { era: 'legacy', name: 'One' });
    const held = peer.client.callTool({ name: 'asks_hold', arguments: {} });
    await expect.poll(async () => (await rest(hub, '/api/calls')).body.running.length).toBe(1);
    expect(await callByHand(hub, 'asks', 'ask')).toContain('cannot ask');
    await held;
    expect(await callByHand(hub, 'asks', 'ask')).toContain('cannot ask');
    expect(peer.asked).toEqual([]);
  },
);
