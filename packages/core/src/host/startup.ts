/** Connects every server at once, and tells how it goes: what an eager host does when it begins. */
import { isJunctorError, JunctorError } from '../base/error.ts';
import type { StartupComplete, StartupUpdate } from './events.ts';
import type { Host } from './host.ts';

export async function startAll(host: Host): Promise<Omit<StartupComplete, 'type'>> {
  const servers: string[] = [];
  const failed: { server: string; error: JunctorError }[] = [];
  await Promise.all(
    host.links.ids.map(async server => {
      // What runs already is not started, and nobody waits for news of it.
      const runs = host.links.state(server).kind === 'ready';
      const report = (status: StartupUpdate['status']): void => {
        if (!runs) host.events.emit({ type: 'startup-update', server, status });
      };
      report('starting');
      try {
        // Its tools may be known from before, and itself no longer there.
        await host.links.ready(server);
        await host.collect(server);
        servers.push(server);
        report('ready');
      } catch (cause) {
        const error = isJunctorError(cause)
          ? cause
          : new JunctorError('internal', `Server '${server}' could not be started.`, { server, cause });
        failed.push({ server, error });
        report(error.code === 'auth_required' ? 'auth_required' : 'failed');
      }
    }),
  );
  host.events.emit({ type: 'startup-complete', servers, failed });
  return { servers, failed };
}
