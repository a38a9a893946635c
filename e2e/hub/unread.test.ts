/** What a client does not read lies in the hub's memory. */
import { makeHome, misbehaving, startHub, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

test('a client that does not read its stream costs the hub a few MB, and still gets its answer', async () => {
  await using home = await makeHome();
  await using hub = await startHub(home, { servers: { loud: trusted(misbehaving('floods')) } });
  const client = await RawClient.open(hub, '/mcp/codex');
  // 60 MB of log lines, of which the systems' own buffers between the two hold a dozen.
  const response = await client.post({
    id: 1,
    method: 'tools/call',
    params: { name: 'loud_flood', arguments: { size: 500 } },
  });
  const outcomes = async () =>
    (await rest(hub, '/api/calls')).body.calls.map((call: { outcome: string }) => call.outcome);
  await expect.poll(outcomes, { timeout: 30_000 }).toEqual(['done']);
  const text = await response.text();
  expect(text.length).toBeLessThan(30_000_000);
  expect(text.trimEnd().split('\n').at(-1)).toContain('"result":{"content":[{"type":"text","text":"done"}]}');
});
