/**
 * A program that owns servers, for tests that end it: opens all of them, says so, and calls them for ever. With `closes` it
 * closes its host instead, and nothing may keep it from ending.
 */
import { createHost, type McpServerInput } from '@junctor/core';

interface Owned {
  readonly servers: Record<string, McpServerInput>;
  /** A tool of each server. */
  readonly tools: Record<string, string>;
  readonly closes?: boolean;
}

const { servers, tools, closes = false } = JSON.parse(process.argv[2] ?? '{}') as Owned;
const host = await createHost({ config: { version: 1, servers } });
const callAll = () => Promise.all(Object.entries(tools).map(([server, tool]) => host.call({ server, tool })));

await callAll();
process.stdout.write('steady\n');
while (!closes) await callAll();
await host.close();
