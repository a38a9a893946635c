/** What the hub learns of a shared server that asks its clients: two sessions clash once, and never again. */
import { makeHome, misbehaving, promise, startHub, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { rest } from './rest-client.ts';
import { type Peer, sdkPeer } from './sdk-peer.ts';

const shared = (definition: object) => ({ ...trusted(definition), mode: 'shared' });
const config = (definition: object) => ({ version: 1, servers: { demo: shared(definition) } });
const textIn = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? '';
const call = (peer: Peer, tool: string, args = {}, options = {}) =>
  peer.client.callTool({ name: `demo_${tool}`, arguments: args }, options);

const counts = async (peer: Peer): Promise<string> => textIn(await call(peer, 'counts'));

/** Calls that are held until they are given up. */
async function holdBy(peers: readonly Peer[], watcher: Peer): Promise<AbortController> {
  const leave = new AbortController();
  for (const peer of peers) call(peer, 'hold', {}, { signal: leave.signal }).catch(() => {});
  await expect.poll(() => counts(watcher)).toMatch(`${peers.length} held`);
  return leave;
}

describe('a shared server that asks its clients', () => {
  promise('7.2o', 'is known as one after a restart of the hub: two sessions do not clash again', async () => {
    await using home = await makeHome();
    const open = () => startHub(home, config(misbehaving('asks-and-holds')));
    {
      await using hub = await open();
      await using one = await sdkPeer(hub, '/mcp/codex', { era: 'legacy', name: 'One' });
      await using two = await sdkPeer(hub, '/mcp/cursor', { era: 'legacy', name: 'Two' });
      await holdBy([one], one);
      expect(textIn(await call(two, 'ask'))).toBe('cannot ask');
    }
    await using hub = await open();
    await using one = await sdkPeer(hub, '/mcp/codex', { era: 'legacy', name: 'One' });
    await using two = await sdkPeer(hub, '/mcp/cursor', { era: 'legacy', name: 'Two' });
    const leave = await holdBy([one], one);
    const asked = call(two, 'ask');
    await expect.poll(async () => (await rest(hub, '/api/calls')).body.running.length).toBe(2);
    // It waits for the session inside, and does not ask beside it.
    expect(await counts(one)).toBe('0 asked, 1 held');
    leave.abort();
    expect(textIn(await asked)).toBe('hello Two');
    expect([one.asked, two.asked]).toEqual([[], ['elicitation/create']]);
    // Now it is certain which of the two asks: the other runs beside others again.
    const both = await holdBy([one, two], one);
    both.abort();
  });

  promise('7.2p', 'is called again where a clash made a call fail that does no harm: no client sees it', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, config(misbehaving('asks-and-holds')));
    await using one = await sdkPeer(hub, '/mcp/codex', { era: 'legacy', name: 'One' });
    await using two = await sdkPeer(hub, '/mcp/cursor', { era: 'legacy', name: 'Two' });
    const held = call(one, 'hold');
    await expect.poll(async () => (await rest(hub, '/api/calls')).body.running.length).toBe(1);
    expect(textIn(await call(two, 'look'))).toBe('hello Two');
    expect(textIn(await held)).toBe('held');
    expect([one.asked, two.asked]).toEqual([[], ['elicitation/create']]);
    expect(await counts(two)).toBe('2 asked, 0 held');
  });
});
