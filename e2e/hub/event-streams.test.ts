import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { makeHome } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { startHubHere } from './hub-here.ts';

/** Whoever reads a stream is told that it still lives, by a timer: one for each. */
const timers = (): number => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;

test('a stream of events ends with its reader, though its request is garbage by then', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  await using home = await makeHome();
  await using hub = await startHubHere(home);
  await (await hub.fetch('/api/status')).text();
  const before = timers();
  const leaving = Array.from({ length: 20 }, () => new AbortController());
  // The answers are held: one that nobody holds is garbage as well, and `fetch` then hangs up before the reader leaves.
  const reading: Response[] = [];
  for (const { signal } of leaving) reading.push(await hub.fetch('/api/events', { signal }));
  expect(reading.map(answer => answer.status)).toEqual(leaving.map(() => 200));
  // Half of them is enough to tell: timers of others, which began before, may end meanwhile.
  await expect.poll(timers).toBeGreaterThan(before + leaving.length / 2);
  for (let times = 0; times < 5; times++) {
    await turn();
    collectGarbage();
  }
  for (const one of leaving) one.abort();
  while (timers() >= before + leaving.length / 2) await turn();
  expect(reading).toHaveLength(leaving.length);
});
