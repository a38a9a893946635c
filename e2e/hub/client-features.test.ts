/** A server of each session is told what the client of that session can do, and offers it what fits. */
import { makeHome, misbehaving, promise, startHub, trusted } from '@junctor/testkit';
import { expect } from 'vitest';
import { RawClient } from './rpc.ts';

const CLIENT = { name: 'raw', version: '1' };
const FULL = { roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } };

async function toolsOf(client: RawClient): Promise<string[]> {
  const [answer] = await client.messages({ id: 'list', method: 'tools/list' });
  return (answer as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name);
}

promise('5.4k', 'each client of a server endpoint sees the tools for its own features, the first one too', async () => {
  await using home = await makeHome();
  const servers = { c: { ...trusted(misbehaving('minds-capabilities')), mode: 'per_session' } };
  await using hub = await startHub(home, { version: 1, servers });
  const path = '/servers/c/mcp';
  for (const _ of ['first', 'second'])
    expect(await toolsOf(await RawClient.open(hub, path, CLIENT, {}))).toEqual(['always']);
  const sampling = await RawClient.open(hub, path, CLIENT, { sampling: {} });
  expect(await toolsOf(sampling)).toEqual(['always', 'needs_sampling']);
  const full = await RawClient.open(hub, path, CLIENT, FULL);
  expect(await toolsOf(full)).toEqual(['always', 'needs_sampling', 'needs_elicitation']);
});

promise('5.4k', 'an agent is offered what its own instance offers, as soon as it has one', async () => {
  await using home = await makeHome();
  const servers = { c: { ...trusted(misbehaving('minds-capabilities')), mode: 'per_session' } };
  await using hub = await startHub(home, { version: 1, servers });
  const bare = await RawClient.open(hub, '/mcp/codex', CLIENT, {});
  await bare.call(1, 'c_always', {});
  await expect.poll(() => toolsOf(bare)).toEqual(['c_always']);
  const full = await RawClient.open(hub, '/mcp/codex', CLIENT, FULL);
  await full.call(1, 'c_always', {});
  expect(await toolsOf(full)).toEqual(['c_always', 'c_needs_elicitation', 'c_needs_sampling']);
});
