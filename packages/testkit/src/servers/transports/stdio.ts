import { createInterface } from 'node:readline';
import { Connection } from '../connection.ts';
import type { TestServerOptions } from '../options.ts';
import { SharedState } from '../shared-state.ts';

/** Serves one client on stdin and stdout until stdin ends, or the signal comes. */
export async function serveStdio(options: TestServerOptions, signal: AbortSignal): Promise<void> {
  const shared = new SharedState(options);
  const connection = new Connection(shared, message => process.stdout.write(`${JSON.stringify(message)}\n`));
  for await (const line of createInterface({ input: process.stdin, signal, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() !== '') void connection.receive(line);
  }
  // Else whoever holds the other end would keep this program alive.
  process.stdin.destroy();
  connection.end();
  shared.end();
}
