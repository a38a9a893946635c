import type { Host } from '@junctor/core';

/** Begins afresh with a server, and learns what it offers now. */
export async function connectAgain(host: Host, server: string): Promise<void> {
  await host.links.reconnect(server);
  host.invalidate(server);
  await host.collect(server);
}
