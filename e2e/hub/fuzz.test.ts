import { promise } from '@junctor/testkit';
import { fuzzHub } from '../fuzz/fuzz-hub.ts';

promise(
  ['10.1o', '9.7f'],
  'nothing that servers answer or clients send ends the hub or keeps a request waiting: 3,000 cases',
  () => fuzzHub({ cases: 3000, atOnce: 32, batch: 1000, openings: 20 }),
);
