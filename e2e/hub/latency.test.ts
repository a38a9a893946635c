/** Time spent waiting for a person is never the latency of a tool. */
import { promise } from '@junctor/testkit';
import { expect } from 'vitest';
import { answer, waiting, withHub } from './asking.ts';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

/** So often the inbox is read before the call is approved: the wait is then much longer than the call. */
const READS = 50;
/** Statistics tell times to within a twentieth. */
const COARSE = 1.1;

promise(
  '10.1p',
  'a call that waited for approval takes as long as its server took, in the audit and the statistics',
  async () => {
    await withHub(async hub => {
      const client = await RawClient.open(hub, '/mcp/codex');
      const begun = performance.now();
      const calling = client.call(1, 'demo_echo', { text: 'x' });
      const [open] = await waiting(hub);
      const asked = performance.now();
      for (let read = 0; read < READS; read++) await rest(hub, '/api/approvals');
      const waitedMs = performance.now() - asked;
      await answer(hub, open?.id ?? '', { answer: 'once' });
      await calling;
      const restMs = performance.now() - begun - waitedMs;

      await expect.poll(async () => (await rest(hub, '/api/calls')).body.calls.length).toBe(1);
      const [{ ms }] = (await rest(hub, '/api/calls')).body.calls;
      expect(ms).toBeLessThanOrEqual(restMs);
      const [tool] = (await rest(hub, '/api/stats')).body.tools;
      expect(tool).toMatchObject({ tool: 'echo', calls: 1 });
      expect(tool.p95_ms).toBeLessThanOrEqual(restMs * COARSE);
    });
  },
);
