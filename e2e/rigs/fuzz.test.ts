import { promise } from '@junctor/testkit';
import { fuzzHub } from '../fuzz/fuzz-hub.ts';

promise(
  '10.1o',
  'nothing that servers answer or clients send ends the hub or keeps a request waiting: 100,000 cases',
  () => fuzzHub({ cases: 100_000, atOnce: 48, batch: 5000, openings: 600 }),
  900_000,
);
