import { expect, test } from 'vitest';
import { HubCounts } from './hub-counts.ts';

test('a monitor sees two thousand tools apart, and the rest of each server together', () => {
  const counts = new HubCounts();
  const took = { failed: false, bytes: 1, ms: 1 };
  for (let index = 0; index < 2500; index++) counts.count({ agent: 'codex', server: 's', tool: `t${index}` }, took);
  counts.count({ agent: 'codex', server: 's', tool: 't1' }, took);
  const seen = counts.sinceStart();
  expect(seen).toHaveLength(2001);
  expect(seen.find(({ tool }) => tool === '(other)')?.calls).toBe(500);
  expect(seen.find(({ tool }) => tool === 't1')?.calls).toBe(2);
  // Statistics have each.
  expect(counts.take()).toHaveLength(2500);
});
