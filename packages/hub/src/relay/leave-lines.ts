/** The hub that ran a server is gone, or has handed it over: lines that led there are ended, with all that waits on them. */
import type { InstancePool } from './instance-pool.ts';

/** `connection`: of the server that ran there. */
export function leaveLines(instances: InstancePool, connection: string): void {
  for (const upstream of instances.all) {
    const isFirst = instances.isFirst(upstream);
    if (upstream.server.connection !== connection || (!isFirst && !upstream.isLine)) continue;
    void upstream.instance.end().then(() => {
      // Whoever waits for its news hears them from where it runs next; the first of all hubs to look begins it.
      if (isFirst || upstream.inUse) upstream.ready().catch(() => {});
    });
  }
}
