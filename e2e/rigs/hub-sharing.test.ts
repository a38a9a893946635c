import { makeHome, promise, startHub, testServer, trusted } from '@junctor/testkit';
import { expect } from 'vitest';
import { crowdRun } from '../hub/crowd-run.ts';

promise(
  ['7.2a', '7.2b', '7.2c', '7.2d', '7.2e', '5.4a'],
  '10,000 calls of 50 sessions on one process: every message reaches its own session, none is lost',
  async () => {
    await using home = await makeHome();
    const servers = { demo: { ...trusted(testServer()), mode: 'shared' } };
    await using hub = await startHub(home, { version: 1, servers });
    const outcome = await crowdRun(hub, 'demo', { sessions: 50, callsEach: 200 });
    expect(outcome.calls).toBeGreaterThanOrEqual(10_000);
    expect([outcome.wrong, outcome.astray, outcome.pids.size]).toEqual([[], [], 1]);
  },
);
