/** Arguments that no JSON can hold are the caller's mistake, and never leave. */
import { createHost } from '@junctor/core';
import { testServer, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';

test('arguments that cannot be written as JSON are refused by name, and the next call goes through', async () => {
  const demo = trusted(testServer());
  await using host = await createHost({ isolated: true, overrides: { servers: { demo } } });
  const circular: Record<string, unknown> = {};
  circular.text = circular;
  let deep: unknown = 'x';
  for (let level = 0; level < 20_000; level++) deep = [deep];
  for (const args of [circular, { text: 1n }, { text: deep }]) {
    await expect(host.call({ server: 'demo', tool: 'echo' }, args)).rejects.toMatchObject({
      code: 'usage',
      message: "The arguments for 'echo' of server 'demo' cannot be written as JSON.",
      server: 'demo',
      outcome: 'not_sent',
      hint: expect.stringContaining('JSON'),
    });
  }
  expect(await host.call({ server: 'demo', tool: 'echo' }, { text: 'x' })).toMatchObject({ success: true });
});
