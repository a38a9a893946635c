/** The hub that ran a server is gone, or has handed it over: lines that led there are ended, with all that waits on them. */
import type { Instances } from './instances.ts';

export function leaveLines(instances: Instances, server: string): void {
  for (const upstream of instances.all) {
    const isFirst = instances.isFirst(upstream);
    if (upstream.server.id !== server || (!isFirst && !upstream.isLine)) continue;
    void upstream.instance.end().then(() => {
      // Whoever waits for its news hears them from where it runs next; the first of all hubs to look begins it.
      if (isFirst || upstream.inUse) upstream.ready().catch(() => {});
    });
  }
}
