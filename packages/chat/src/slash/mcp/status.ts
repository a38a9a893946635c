import type { ServerStatus } from '@junctor/core';
import { invalidServers } from '@junctor/core/config-read';
import { configNotes } from '../../config-notes.ts';
import type { Agent } from '../../conversation.ts';
import type { SlashCommand } from '../slash-command.ts';
import { boxed } from '../table.ts';
import { noServers } from './list.ts';

export const mcpStatus: SlashCommand = {
  name: 'mcp status',
  summary: 'show whether each server is connected, and when its tools were last updated',
  run(_words, { host, agent, say }) {
    const servers = host.status();
    const invalid = invalidServers(host.loaded);
    if (servers.length + invalid.length === 0) return say([noServers(host), ...configNotes(host)].join('\n'));
    say(
      [
        'MCP Servers Status:',
        boxed(
          ['Server', 'Status', 'Tools', 'Updated'],
          [...servers.map(server => rowOf(server, agent)), ...invalid.map(({ id }) => [id, 'Invalid', '-', 'Error'])],
        ),
        '',
        "Use '/mcp list-tools' to see all tools",
        "Use '/mcp debug <server>' for more details",
        ...configNotes(host),
      ].join('\n'),
    );
  },
};

const WORDS: Readonly<Record<ServerStatus['state'], string>> = {
  ready: 'Connected',
  error: 'Failed',
  connecting: 'Connecting',
  auth_required: 'Sign-in needed',
  disabled: 'Disabled',
  untrusted: 'Not trusted',
  idle: 'Idle',
};

function rowOf({ id, state, tools, last_connected_at }: ServerStatus, { away, toolsChangedAt }: Agent): string[] {
  if (away.has(id)) return [id, 'Disconnected', '-', '-'];
  if (state === 'error') return [id, WORDS.error, '-', 'Error'];
  if (state !== 'ready') return [id, WORDS[state], '-', '-'];
  const updatedAt = Math.max(Date.parse(last_connected_at ?? '') || 0, toolsChangedAt.get(id) ?? 0);
  return [id, WORDS.ready, String(tools), updatedAt > 0 ? age(Date.now() - updatedAt) : '-'];
}

function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds}s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ago`;
  return `${Math.floor(seconds / 3600)}h ago`;
}
