import {
  describeProblem,
  isEnabled,
  type LoadedServer,
  loadMcpConfig,
  type McpConfigLoadResult,
  maskDefinition,
  type Problem,
} from '@junctor/core/config-read';
import { oneOf } from '../../choice.ts';
import { defineCommand } from '../../command.ts';
import { loadOptions } from '../../context.ts';
import { oneLine, table } from '../../output/table.ts';

export const mcpList = defineCommand({
  options: {
    scope: { value: 'effective|project|global', help: 'what applies here, or one layer as it is (default: effective)' },
  },
  async run(context, { options }) {
    const scope = oneOf('scope', options.scope ?? 'effective', ['effective', 'project', 'global']) as Scope;
    const loaded = await loadMcpConfig(loadOptions(context));
    const describe = (server: LoadedServer): ListedServer => {
      const shown = maskDefinition(server.definition);
      return {
        id: server.id,
        transport: server.definition.transport,
        source: sourceName(server.layer),
        enabled: loaded.enabled && isEnabled(server),
        trust: server.definition.trust ?? 'untrusted',
        endpoint: shown.transport === 'stdio' ? [shown.command, ...(shown.args ?? [])].join(' ') : shown.url,
        file: server.file ?? null,
      };
    };
    const servers = [...serversIn(loaded, scope).map(describe), ...invalidServers(loaded, scope)].sort(byId);
    context.answer({
      json: { servers, problems: loaded.problems },
      text: servers.length === 0 ? 'no MCP servers configured' : serverTable(servers),
    });
    for (const problem of loaded.problems) context.talk(`warning: ${describeProblem(problem)}`);
    return 0;
  },
});

type Scope = 'effective' | 'project' | 'global';

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

/** People who script know the user layer as `global`. */
function sourceName(layer: string): string {
  return layer === 'user' ? 'global' : layer;
}

const LAYERS_OF: Readonly<Record<Exclude<Scope, 'effective'>, readonly string[]>> = {
  project: ['project', 'local', 'explicit'],
  global: ['user'],
};

/** In one scope a server counts that a higher layer hides, too. */
function serversIn(loaded: McpConfigLoadResult, scope: Scope): LoadedServer[] {
  const effective = [...loaded.servers.values()];
  if (scope === 'effective') return effective;
  const layers = LAYERS_OF[scope];
  return effective.flatMap(server => {
    if (layers.includes(server.layer)) return [server];
    const hidden = server.hides.find(one => layers.includes(one.layer));
    return hidden ? [{ id: server.id, ...hidden, switched: undefined, hides: [] }] : [];
  });
}

function invalidServers(loaded: McpConfigLoadResult, scope: Scope): ListedServer[] {
  const byServer = new Map<string, Problem>();
  for (const problem of loaded.problems) {
    if (problem.server !== undefined && !loaded.servers.has(problem.server)) byServer.set(problem.server, problem);
  }
  return [...byServer].flatMap(([id, { file, message }]): ListedServer[] => {
    const layer = loaded.layers.find(one => one.source === file)?.name ?? 'override';
    if (scope !== 'effective' && !LAYERS_OF[scope].includes(layer)) return [];
    const source = sourceName(layer);
    return [{ id, transport: null, source, enabled: false, trust: 'untrusted', endpoint: '', file, error: message }];
  });
}

function byId(a: ListedServer, b: ListedServer): number {
  return a.id < b.id ? -1 : 1;
}

const ENDPOINT_WIDTH = 60;

function serverTable(servers: readonly ListedServer[]): string {
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
  );
}
