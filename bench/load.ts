/** Calls as fast as answers come: latency one at a time, then throughput with several at once. */
import { cpuMs } from './cpu.ts';
import type { Values } from './samples.ts';
import { median, quantile } from './statistics.ts';

const WARM_UP_CALLS = 300;
const CALLS = 800;
/** A phase ends after its calls or after this, whichever comes first: a slow peer must not stretch the run. */
const PHASE_MS = 600;
const CONCURRENCY = [16, 64];

/** `measured`: the processes whose CPU is accounted, the library's own or the gateway's. */
export async function load(call: () => Promise<unknown>, measured: readonly number[]): Promise<Values> {
  await oneByOne(call, WARM_UP_CALLS);
  const values: Record<string, number> = {};

  const cpuBefore = cpuMs(measured);
  const latencies = await oneByOne(call, CALLS);
  values.p50Ms = median(latencies);
  values.p99Ms = quantile(latencies, 0.99);
  values.cpuMs1 = (cpuMs(measured) - cpuBefore) / latencies.length;
  values.perSecond1 = (latencies.length * 1000) / latencies.reduce((sum, ms) => sum + ms, 0);

  for (const concurrency of CONCURRENCY) {
    for (let warmUp = 0; warmUp < 2; warmUp++) await Promise.all(Array.from({ length: concurrency }, call));
    const before = cpuMs(measured);
    const { calls, ms } = await atOnce(call, concurrency);
    values[`perSecond${concurrency}`] = (calls * 1000) / ms;
    values[`cpuMs${concurrency}`] = (cpuMs(measured) - before) / calls;
  }
  return values;
}

export async function oneByOne(call: () => Promise<unknown>, calls: number): Promise<number[]> {
  const latencies: number[] = [];
  const started = performance.now();
  while (latencies.length < calls && performance.now() - started < PHASE_MS) {
    const sent = performance.now();
    await call();
    latencies.push(performance.now() - sent);
  }
  return latencies;
}

async function atOnce(call: () => Promise<unknown>, concurrency: number): Promise<{ calls: number; ms: number }> {
  const started = performance.now();
  let left = 2 * CALLS;
  let calls = 0;
  const caller = async () => {
    while (left-- > 0 && performance.now() - started < PHASE_MS) {
      await call();
      calls++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  return { calls, ms: performance.now() - started };
}
