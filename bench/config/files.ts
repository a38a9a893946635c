/** A thousand servers in twenty files: one of the person, and nineteen of plugins. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FILES = 20;
const SERVERS_PER_FILE = 50;

export function writeConfigFiles(home: string): void {
  for (let file = 0; file < FILES; file++) {
    const name = file === 0 ? 'config.json' : join('plugins', `plugin-${file}`, 'plugin.json');
    const path = join(home, 'config', 'junctor', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ servers: serversOf(file) }, null, 2));
  }
}

function serversOf(file: number): Record<string, object> {
  return Object.fromEntries(
    Array.from({ length: SERVERS_PER_FILE }, (_, index) => [
      `server-${file}-${index}`,
      index % 2 === 0 ? local(index) : remote(index),
    ]),
  );
}

function local(index: number): object {
  return {
    transport: 'stdio',
    command: 'npx',
    args: ['-y', '@example/server', `--root=/srv/${index}`],
    env: { NODE_ENV: 'production', WORKSPACE: `workspace-${index}` },
    trust: 'trusted',
    request_timeout_ms: 30_000,
  };
}

function remote(index: number): object {
  return {
    transport: 'http',
    url: `https://mcp-${index}.example.com/mcp`,
    headers: { 'X-Workspace': `workspace-${index}` },
    tools: { allow: ['read_*', 'list_*'], deny: ['*_secret'] },
    enabled: index % 4 === 1,
  };
}
