import {
  describeProblem,
  invalidServers,
  isEnabled,
  type LoadedServer,
  loadMcpConfig,
  type McpConfigLoadResult,
  shownDefinition,
} from '@junctor/core/config-read';
import { dataDirectory } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import {
  isInScope,
  READ_SCOPE_OPTION,
  type ReadScope,
  readScope,
  scopeWord,
  serversIn,
} from '../../config-files/read-scope.ts';
import { type Context, loadOptions } from '../../context.ts';
import { oneLine, table } from '../../output/table.ts';

export const mcpList = defineCommand({
  options: { scope: READ_SCOPE_OPTION, ids: { help: 'print ids only, a line each, and nothing else' } },
  async run(context, { options }) {
    const scope = readScope(options.scope);
    const loaded = await loadMcpConfig(loadOptions(context));
    const approvals = await approvalsOf(context, loaded);
    const describe = (server: LoadedServer): ListedServer => {
      const shown = shownDefinition(server);
      return {
        id: server.id,
        transport: server.definition.transport,
        source: scopeWord(server.layer),
        enabled: loaded.enabled && isEnabled(server),
        ...(server.switched ? { switched_by: server.switched.source } : {}),
        ...(server.switched ? { switched_in: scopeWord(server.switched.layer) } : {}),
        trust: server.definition.trust ?? 'untrusted',
        approval: approvals.get(server.id) ?? null,
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
    if (servers.length === 0 && !context.global.json) await tellHubs(context);
    for (const problem of loaded.problems) context.talk(`warning: ${describeProblem(problem)}`);
    for (const notice of loaded.notices) context.talk(`note: ${notice}`);
    const waiting = servers.filter(({ approval, enabled }) => approval === 'waiting' && enabled).map(({ id }) => id);
    if (waiting.length > 0 && !context.global.json)
      context.talk(`note: ${waitingText(waiting)}: junctor trust add ${waiting.join(' ')}`);
    return 0;
  },
});

/** A hub that was started with another config has servers all the same: people who look for those see them somewhere. */
async function tellHubs(context: Context): Promise<void> {
  const { HubRest } = await import('../../hub/hub-rest.ts');
  const hub = await HubRest.find(context);
  const found = await hub?.ask<{ servers: readonly { id: string }[] }>('/api/servers').catch(() => undefined);
  if (!hub || !found || found.servers.length === 0) return;
  const ids = found.servers.map(({ id }) => id).join(', ');
  context.talk(`the hub at ${hub.url} was started with another config, and serves: ${ids}`);
}

interface ListedServer {
  readonly id: string;
  readonly transport: string | null;
  readonly source: string;
  readonly enabled: boolean;
  /** The file that only switches it, and its scope. */
  readonly switched_by?: string;
  readonly switched_in?: string;
  /** What the file says. */
  readonly trust: string;
  /** Whether a person approved a server that came with the project; null: it needs no approval. */
  readonly approval: 'approved' | 'waiting' | null;
  readonly endpoint: string;
  readonly file: string | null;
  readonly error?: string;
}

/** Of servers that came with a project. Nothing is looked up where none did. */
async function approvalsOf(
  { surroundings, global }: Context,
  { servers }: McpConfigLoadResult,
): Promise<ReadonlyMap<string, 'approved' | 'waiting'>> {
  const ofProjects = ['project', 'local', 'plugin'];
  const brought = [...servers.values()].filter(({ layer }) => ofProjects.includes(layer));
  if (brought.length === 0) return new Map();
  const { TrustBook } = await import('@junctor/core/config-write');
  const states = await new TrustBook(dataDirectory(surroundings, global.data), surroundings).states(brought);
  return new Map([...states].flatMap(([id, state]) => (state === 'trusted' ? [] : [[id, state]])));
}

function invalidRows(loaded: McpConfigLoadResult, scope: ReadScope): ListedServer[] {
  return invalidServers(loaded).flatMap(({ id, layer, file, message }): ListedServer[] => {
    if (!isInScope(layer, scope)) return [];
    const source = scopeWord(layer);
    return [
      {
        id,
        transport: null,
        source,
        enabled: false,
        trust: 'untrusted',
        approval: null,
        endpoint: '',
        file,
        error: message,
      },
    ];
  });
}

function waitingText(ids: readonly string[]): string {
  const named = ids.map(id => `'${id}'`).join(', ');
  return ids.length === 1 ? `${named} waits for your approval` : `${named} wait for your approval`;
}

function byId(a: ListedServer, b: ListedServer): number {
  return a.id < b.id ? -1 : 1;
}

const ENDPOINT_WIDTH = 60;

/** Approval concerns servers of projects: where there are none, its column would only take space. */
function serverTable(servers: readonly ListedServer[], columns: number | undefined): string {
  const isAsked = servers.some(({ approval }) => approval !== null);
  return table(
    ['ID', 'TRANSPORT', 'SOURCE', 'ENABLED', 'TRUST', ...(isAsked ? ['APPROVAL'] : []), 'ENDPOINT'],
    servers.map(({ id, transport, source, enabled, switched_in, trust, approval, endpoint, error }) => [
      id,
      transport ?? '-',
      source,
      error === undefined ? `${enabled ? 'yes' : 'no'}${switched_in ? ` (${switched_in})` : ''}` : 'invalid',
      trust,
      ...(isAsked ? [approval ?? '-'] : []),
      oneLine(error ?? endpoint, ENDPOINT_WIDTH),
    ]),
    columns,
  );
}
