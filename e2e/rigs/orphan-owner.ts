/** A program that owns a server, for a test that kills it: says which processes there are, and stays. */
import { createHost, type McpServerInput } from '@junctor/core';

const definition = JSON.parse(process.argv[2] ?? '{}') as McpServerInput;
const host = await createHost({ config: { version: 1, servers: { stubborn: definition } }, remember: false });
const { output } = await host.call({ server: 'stubborn', tool: 'pids' });
process.stdout.write(`${output}\n`);
setInterval(() => {}, 1 << 30);
