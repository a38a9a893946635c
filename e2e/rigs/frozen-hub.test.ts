import { expect, test } from 'vitest';
import { startPostgres, whyNoPostgres } from '../hub/postgres.ts';
import { pidAt, Replicas, textOf } from '../hub/replicas.ts';
import { RawClient } from '../hub/rpc.ts';

const missing = whyNoPostgres();

test.skipIf(missing)('a hub that stops to answer is replaced, and ends its server when it is back', async () => {
  await using postgres = await startPostgres();
  await using replicas = new Replicas(postgres.create('frozen'));
  const [first, second] = [await replicas.start(), await replicas.start()];
  const client = await RawClient.open(second, '/servers/demo/mcp');
  const pid = async (): Promise<string> => textOf(await client.call(1, 'pid', {}));
  const before = await pid();
  const guest = await RawClient.open(first, '/servers/demo/mcp');
  first.process.kill('SIGSTOP');
  try {
    // A request for a session there, that came here, is not kept waiting either: it is let go, and the next one answered.
    const passed = guest
      .at(second)
      .post({ id: 1, method: 'ping' })
      .then(({ status }) => status, String);
    // The call that was out is told that nobody knows; from then on the server runs here.
    expect(await pid()).toContain("The hub that ran server 'demo' is gone.");
    await expect.poll(pid).toMatch(/^\d+$/);
    expect(await pid()).not.toBe(before);
    expect(await passed).toContain('fetch failed');
    expect((await guest.at(second).post({ id: 2, method: 'ping' })).status).toBe(200);
  } finally {
    first.process.kill('SIGCONT');
  }
  await expect.poll(() => replicas.running()).toBe(1);
  expect(await pidAt(first)).toBe(await pid());
});
