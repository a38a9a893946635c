import { type LoadedServer, loadMcpConfig, maskDefinition, shownDefinition } from '@junctor/core/config-read';
import { JunctorError } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { noServer } from '../../config-files/no-server.ts';
import { definedIn, READ_SCOPE_OPTION, type ReadScope, readScope, scopeWord } from '../../config-files/read-scope.ts';
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
        source: scopeWord(layer),
        file: file ?? null,
        line: place?.line ?? null,
        definition,
      },
      text: `${JSON.stringify({ [id]: shownDefinition(server) }, null, 2)}\n# ${layer} ${source}${place ? `:${place.line}` : ''}`,
    });
    return 0;
  },
});

/** The definition of a server, as it applies or in one scope; an unknown id names the known ones. */
export async function findServer(context: Context, id: string, scope: ReadScope = 'effective'): Promise<LoadedServer> {
  const loaded = await loadMcpConfig(loadOptions(context));
  const server = loaded.servers.get(id);
  if (!server) throw noServer(id, loaded);
  return definedIn(server, scope) ?? failIn(scope, server);
}

function failIn(scope: ReadScope, { id, layer, source }: LoadedServer): never {
  throw new JunctorError('server_unknown', `The ${scope} scope defines no server '${id}'.`, {
    server: id,
    why: `it is defined in the ${layer} layer: ${source}`,
    hint: 'junctor mcp list',
  });
}
