import type { LoadedServer, McpServerDef } from '@junctor/core';
import { defineCommand } from '../../command.ts';
import { oneLine, table } from '../../output/table.ts';

export const mcpList = defineCommand({
  words: ['mcp', 'list'],
  summary: 'List the configured servers. Nothing is started.',
  async run(context) {
    const { loadMcpConfig } = await import('@junctor/core');
    const { describeProblem } = await import('@junctor/core/inside');
    const { config, isolated } = context.global;
    const loaded = await loadMcpConfig({ path: config, isolated, surroundings: context.surroundings });
    const servers = [...loaded.servers.values()].map(describeServer).sort((a, b) => (a.id < b.id ? -1 : 1));
    context.answer({
      json: { servers, problems: loaded.problems },
      text: servers.length === 0 ? 'no MCP servers configured' : serverTable(servers),
    });
    for (const problem of loaded.problems) context.talk(`warning: ${describeProblem(problem)}`);
  },
});

interface ListedServer {
  readonly id: string;
  readonly transport: string;
  readonly source: string;
  readonly enabled: boolean;
  readonly trust: string;
  readonly endpoint: string;
  readonly file: string | null;
}

function describeServer({ id, definition, layer, file }: LoadedServer): ListedServer {
  return {
    id,
    transport: definition.transport,
    // People who script know the user layer as `global`.
    source: layer === 'user' ? 'global' : layer,
    enabled: definition.enabled !== false,
    trust: definition.trust ?? 'untrusted',
    endpoint: endpointOf(definition),
    file: file ?? null,
  };
}

function endpointOf(definition: McpServerDef): string {
  return definition.transport === 'http' ? definition.url : [definition.command, ...(definition.args ?? [])].join(' ');
}

const ENDPOINT_WIDTH = 60;

function serverTable(servers: readonly ListedServer[]): string {
  return table(
    ['ID', 'TRANSPORT', 'SOURCE', 'ENABLED', 'TRUST', 'ENDPOINT'],
    servers.map(({ id, transport, source, enabled, trust, endpoint }) => [
      id,
      transport,
      source,
      enabled ? 'yes' : 'no',
      trust,
      oneLine(endpoint, ENDPOINT_WIDTH),
    ]),
  );
}
