import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AskedTime } from './conversation.ts';

test('the duration of a call is without the time that the person took', async () => {
  const asked = new AskedTime();
  const from = { server: 'demo', name: 'echo' };
  const call = { id: '1', tool: 'mcp__demo__echo', from };
  asked.without({ type: 'tool-begin', ...call, input: { text: 'a' } });
  const ask = asked.timed(async () => {
    await sleep(30);
    return 'once';
  });
  await ask?.({ server: 'demo', tool: 'echo', args: { text: 'a' }, because: 'x' });
  const ended = asked.without({ type: 'tool-end', ...call, ms: 10_000 });
  expect(ended).toMatchObject({ type: 'tool-end', ms: expect.any(Number) });
  expect((ended as { ms: number }).ms).toBeLessThan(10_000 - 20);
  // Another call with other arguments was asked nothing.
  asked.without({ type: 'tool-begin', ...call, id: '2', input: { text: 'b' } });
  expect(asked.without({ type: 'tool-end', ...call, id: '2', ms: 5 })).toMatchObject({ ms: 5 });
});
