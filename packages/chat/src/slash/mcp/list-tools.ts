import type { SlashCommand } from '../slash-command.ts';
import { cell, columns } from '../table.ts';
import { noServers } from './list.ts';

/** Servers that are still starting are not waited for: the list is for now. */
const PATIENCE_MS = 2000;

export const mcpListTools: SlashCommand = {
  name: 'mcp list-tools',
  summary: 'list the tools of all servers',
  async run(_words, { host, agent, say }) {
    if (host.status().length === 0) return say(noServers(host));
    const servers = host.links.ids.filter(id => !agent.away.has(id));
    const { byName } = await host.snapshot({ servers, patienceMs: PATIENCE_MS });
    const entries = [...byName.values()].filter(({ server }) => servers.includes(server));
    if (entries.length === 0) return say('no server offers a tool now');
    const rows = entries
      .sort((a, b) => a.server.localeCompare(b.server) || a.tool.localeCompare(b.tool))
      .map(({ server, tool, definition }) => [server, cell(tool, 64), cell(definition.description ?? '', 70)]);
    say(columns(['server', 'tool', 'description'], rows));
  },
};
