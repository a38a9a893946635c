import {
  describeProblem,
  invalidServers,
  isEnabled,
  type LoadedServer,
  loadMcpConfig,
  type McpConfigLoadResult,
  maskDefinition,
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
        ...(server.switched ? { switched_by: server.switched.source } : {}),
        ...(server.switched ? { switched_in: scopeWord(server.switched.layer) } : {}),
        trust: server.definition.trust ?? 'untrusted',
        endpoint: shown.transport === 'stdio' ? [shown.command, ...(shown.args ?? [])].join(' ') : shown.url,
        file: server.file ?? null,
      };
    };
    const servers = [...serversIn(loaded, scope).map(describe), ...invalidRows(loaded, scope)].sort(byId);
    if (options.ids) {
      const ids = servers.map(({ id }) => id);
      context.answer({ json: { ids }, text: ids.join('\n') });
      return 0;
    }
    context.answer({
      json: { servers, problems: loaded.problems, notices: loaded.notices },
      text: servers.length === 0 ? 'no MCP servers configured' : serverTable(servers, context.columns),
    });
    for (const problem of loaded.problems) context.talk(`warning: ${describeProblem(problem)}`);
    for (const notice of loaded.notices) context.talk(`note: ${notice}`);
    return 0;
  },
});

interface ListedServer {
  readonly id: string;
  readonly transport: string | null;
  readonly source: string;
  readonly enabled: boolean;
  /** The file that only switches it, and its scope. */
  readonly switched_by?: string;
  readonly switched_in?: string;
  readonly trust: string;
  readonly endpoint: string;
  readonly file: string | null;
  readonly error?: string;
}

function invalidRows(loaded: McpConfigLoadResult, scope: ReadScope): ListedServer[] {
  return invalidServers(loaded).flatMap(({ id, layer, file, message }): ListedServer[] => {
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
    servers.map(({ id, transport, source, enabled, switched_in, trust, endpoint, error }) => [
      id,
      transport ?? '-',
      source,
      error === undefined ? `${enabled ? 'yes' : 'no'}${switched_in ? ` (${switched_in})` : ''}` : 'invalid',
      trust,
      oneLine(error ?? endpoint, ENDPOINT_WIDTH),
    ]),
    columns,
  );
}
