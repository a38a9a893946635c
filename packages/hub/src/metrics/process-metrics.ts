/** The hub's own process, under the names that every client library of Prometheus uses. */
import { readdirSync } from 'node:fs';
import { counter, gauge, single } from './exposition.ts';

export function processMetrics(): string[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  const { utilization } = performance.eventLoopUtilization();
  const started = (performance.timeOrigin / 1000).toFixed(3);
  const files = openFiles();
  return [
    ...counter('process_cpu_seconds_total', 'CPU time, user and system.', single((user + system) / 1e6)),
    ...gauge('process_start_time_seconds', 'When it started, since the epoch.', single(Number(started))),
    ...gauge('process_resident_memory_bytes', 'Memory of the hub itself.', single(rss)),
    ...(files === undefined ? [] : gauge('process_open_fds', 'Files and sockets that are open.', single(files))),
    ...gauge('nodejs_heap_size_used_bytes', 'Heap in use.', single(heapUsed)),
    ...gauge('nodejs_heap_size_total_bytes', 'Heap.', single(heapTotal)),
    ...gauge('nodejs_external_memory_bytes', 'Memory outside the heap.', single(external)),
    ...gauge('nodejs_eventloop_utilization', 'Share of its time that the event loop was busy.', single(utilization)),
  ];
}

/** Only Linux tells without a program. */
function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}
