import type { ServerStatus } from '@junctor/core';
import type { SlashCommand } from '../slash-command.ts';
import { columns } from '../table.ts';

export const NO_SERVERS = 'no MCP servers configured';

export const mcpList: SlashCommand = {
  name: 'mcp',
  usage: '[SERVER]',
  summary: 'show every server and how it is, or one in full',
  run(_words, { host, say }) {
    const servers = host.status();
    say(servers.length === 0 ? NO_SERVERS : columns(HEAD, servers.map(rowOf)));
  },
};

const HEAD = ['id', 'transport', 'source', 'enabled', 'state', 'tools'];

function rowOf({ id, transport, source, enabled, state, tools }: ServerStatus): string[] {
  return [id, transport, sourceName(source), String(enabled), state, String(tools)];
}

/** The user layer is known to people as `global`. */
export function sourceName(layer: string): string {
  return layer === 'user' ? 'global' : layer;
}
