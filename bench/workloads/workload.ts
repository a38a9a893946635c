/** Something to measure on every contestant it applies to. */
import type { Bench } from '../bench.ts';

export interface Workload {
  readonly name: string;
  readonly about: string;
  run(bench: Bench): Promise<void>;
}
