import { type LoadedServer, loadMcpConfig, type McpConfigLoadResult, maskDefinition } from '@junctor/core/config-read';
import { JunctorError } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { definedIn, READ_SCOPE_OPTION, type ReadScope, readScope } from '../../config-files/read-scope.ts';
import { type Context, loadOptions } from '../../context.ts';

export const mcpGet = defineCommand({
  options: { scope: READ_SCOPE_OPTION },
  async run(context, { options, words }) {
    const server = await findServer(context, words[0] as string, readScope(options.scope));
    const { id, layer, source, file } = server;
    const definition = maskDefinition(server.definition);
    const place = server.placeOf();
    context.answer({
      json: {
        id,
        source: layer === 'user' ? 'global' : layer,
        file: file ?? null,
        line: place?.line ?? null,
        definition,
      },
      text: `${JSON.stringify({ [id]: definition }, null, 2)}\n# ${layer} ${source}${place ? `:${place.line}` : ''}`,
    });
    return 0;
  },
});

/** The definition of a server, as it applies or in one scope; an unknown id names the known ones. */
export async function findServer(context: Context, id: string, scope: ReadScope = 'effective'): Promise<LoadedServer> {
  const loaded = await loadMcpConfig(loadOptions(context));
  const server = loaded.servers.get(id);
  if (!server) fail(id, loaded);
  return definedIn(server, scope) ?? failIn(scope, server);
}

function failIn(scope: ReadScope, { id, layer, source }: LoadedServer): never {
  throw new JunctorError('server_unknown', `The ${scope} scope defines no server '${id}'.`, {
    server: id,
    why: `it is defined in the ${layer} layer: ${source}`,
    hint: 'junctor mcp list',
  });
}

function fail(id: string, { servers, problems }: McpConfigLoadResult): never {
  const broken = problems.find(problem => problem.server === id);
  if (broken) {
    throw new JunctorError('config_invalid', `Server '${id}' is defined wrongly.`, {
      server: id,
      why: broken.message,
      hint: `mend ${broken.file}${broken.line === undefined ? '' : ` at line ${broken.line}`}`,
    });
  }
  throw new JunctorError('server_unknown', `There is no server '${id}'.`, {
    server: id,
    why: servers.size > 0 ? `known servers: ${[...servers.keys()].join(', ')}` : 'no MCP servers configured',
    hint: 'junctor mcp list',
  });
}
