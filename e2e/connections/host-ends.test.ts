/** A program ends single servers, all of them, or the host; it learns of servers that still start. */
import { openaiTools } from '@junctor/adapters/openai';
import { createHost } from '@junctor/core';
import { isRunning, misbehaving, promise, testServer, trusted } from '@junctor/testkit';
import { expect } from 'vitest';

promise(
  '12.7e',
  'close(id) and closeAll() end servers, which start again when needed; close() ends the host',
  async () => {
    await using host = await createHost({
      config: { version: 1, servers: { one: trusted(testServer()), two: trusted(testServer()) } },
    });
    const pidOf = async (server: string): Promise<number> => Number((await host.call({ server, tool: 'pid' })).output);
    const [one, two] = [await pidOf('one'), await pidOf('two')];
    await host.close('one');
    expect([isRunning(one), isRunning(two)]).toEqual([false, true]);
    const again = await pidOf('one');
    expect(again).not.toBe(one);
    await host.closeAll();
    expect([isRunning(again), isRunning(two)]).toEqual([false, false]);
    expect(await pidOf('two')).not.toBe(two);
    await expect(host.close('nobody')).rejects.toMatchObject({ code: 'server_unknown' });
  },
);

promise('12.7f', 'a toolset names the servers that still start', async () => {
  await using host = await createHost({
    config: { version: 1, servers: { slow: trusted(misbehaving('never-answers')), quick: trusted(testServer()) } },
  });
  const mcp = await openaiTools(host, { patienceMs: 2000 });
  expect([mcp.pending, mcp.failures]).toEqual([['slow'], []]);
});
