import type { Host, ServerStatus } from '@junctor/core';
import { invalidServers } from '@junctor/core/config-read';
import { configNotes } from '../../config-notes.ts';
import type { SlashCommand } from '../slash-command.ts';
import { columns } from '../table.ts';

export const NO_SERVERS = 'no MCP servers configured';

export const mcpList: SlashCommand = {
  name: 'mcp',
  usage: '[SERVER]',
  summary: 'show every server and how it is, or one in full',
  run(_words, { host, say }) {
    const rows = [...host.status().map(rowOf), ...invalidRows(host)].sort(byId);
    const table = rows.length === 0 ? noServers(host) : columns(HEAD, rows);
    say([table, ...configNotes(host)].join('\n'));
  },
};

const HEAD = ['id', 'transport', 'source', 'enabled', 'state', 'tools'];

/** A file that cannot be read may define servers: nobody can say that there are none. */
export function noServers({ loaded }: Host): string {
  return loaded.problems.length === 0 ? NO_SERVERS : 'no usable MCP servers';
}

function rowOf({ id, transport, source, enabled, state, tools }: ServerStatus): string[] {
  return [id, transport, sourceName(source), String(enabled), state, String(tools)];
}

function invalidRows(host: Host): string[][] {
  return invalidServers(host.loaded).map(({ id, layer }) => [id, '-', sourceName(layer), 'false', 'invalid', '0']);
}

function byId([a = '']: readonly string[], [b = '']: readonly string[]): number {
  return a < b ? -1 : 1;
}

/** The user layer is known to people as `global`. */
export function sourceName(layer: string): string {
  return layer === 'user' ? 'global' : layer;
}
