import {
  describeProblem,
  isEnabled,
  type LoadedServer,
  loadMcpConfig,
  type McpConfigLoadResult,
  maskDefinition,
  type Problem,
} from '@junctor/core/config-read';
import { defineCommand } from '../../command.ts';
import {
  isInScope,
  READ_SCOPE_OPTION,
  type ReadScope,
  readScope,
  scopeWord,
  serversIn,
} from '../../config-files/read-scope.ts';
import { loadOptions } from '../../context.ts';
import { oneLine, table } from '../../output/table.ts';

export const mcpList = defineCommand({
  options: { scope: READ_SCOPE_OPTION, ids: { help: 'print ids only, a line each, and nothing else' } },
  async run(context, { options }) {
    const scope = readScope(options.scope);
    const loaded = await loadMcpConfig(loadOptions(context));
    const describe = (server: LoadedServer): ListedServer => {
      const shown = maskDefinition(server.definition);
      return {
        id: server.id,
        transport: server.definition.transport,
        source: scopeWord(server.layer),
        enabled: loaded.enabled && isEnabled(server),
        trust: server.definition.trust ?? 'untrusted',
        endpoint: shown.transport === 'stdio' ? [shown.command, ...(shown.args ?? [])].join(' ') : shown.url,
        file: server.file ?? null,
      };
    };
    const servers = [...serversIn(loaded, scope).map(describe), ...invalidServers(loaded, scope)].sort(byId);
    if (options.ids) {
      const ids = servers.map(({ id }) => id);
      context.answer({ json: { ids }, text: ids.join('\n') });
      return 0;
    }
    context.answer({
      json: { servers, problems: loaded.problems },
      text: servers.length === 0 ? 'no MCP servers configured' : serverTable(servers, context.columns),
    });
    for (const problem of loaded.problems) context.talk(`warning: ${describeProblem(problem)}`);
    return 0;
  },
});

interface ListedServer {
  readonly id: string;
  readonly transport: string | null;
  readonly source: string;
  readonly enabled: boolean;
  readonly trust: string;
  readonly endpoint: string;
  readonly file: string | null;
  readonly error?: string;
}

function invalidServers(loaded: McpConfigLoadResult, scope: ReadScope): ListedServer[] {
  const byServer = new Map<string, Problem>();
  for (const problem of loaded.problems) {
    if (problem.server !== undefined && !loaded.servers.has(problem.server)) byServer.set(problem.server, problem);
  }
  return [...byServer].flatMap(([id, { file, message }]): ListedServer[] => {
    const layer = loaded.layers.find(one => one.source === file)?.name ?? 'override';
    if (!isInScope(layer, scope)) return [];
    const source = scopeWord(layer);
    return [{ id, transport: null, source, enabled: false, trust: 'untrusted', endpoint: '', file, error: message }];
  });
}

function byId(a: ListedServer, b: ListedServer): number {
  return a.id < b.id ? -1 : 1;
}

const ENDPOINT_WIDTH = 60;

function serverTable(servers: readonly ListedServer[], columns: number | undefined): string {
  return table(
    ['ID', 'TRANSPORT', 'SOURCE', 'ENABLED', 'TRUST', 'ENDPOINT'],
    servers.map(({ id, transport, source, enabled, trust, endpoint, error }) => [
      id,
      transport ?? '-',
      source,
      error === undefined ? (enabled ? 'yes' : 'no') : 'invalid',
      trust,
      oneLine(error ?? endpoint, ENDPOINT_WIDTH),
    ]),
    columns,
  );
}
