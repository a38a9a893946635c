/** `mcp enable` and `mcp disable`: the same switch, either way. */
import { switchServer, TrustBook } from '@junctor/core/config-write';
import { dataDirectory } from '@junctor/core/light';
import { type Command, defineCommand } from '../../command.ts';
import { SCOPE_OPTION, targetFile } from '../../config-files/scope.ts';
import { type Context, dialectOf } from '../../context.ts';
import { findServer } from './get.ts';

export const mcpEnable: Command = switchCommand('enable', true);
export const mcpDisable: Command = switchCommand('disable', false);

function switchCommand(verb: 'enable' | 'disable', enabled: boolean): Command {
  return defineCommand({
    options: { scope: SCOPE_OPTION },
    details: 'In project scope it also switches a server that only the user config defines.',
    async run(context, { options, words }) {
      const id = words[0] as string;
      const server = await findServer(context, id);
      const { file } = await targetFile(context, options.scope);
      await switchServer(file, id, enabled, { home: context.surroundings.home, dialect: dialectOf(context) });
      // Whoever switches a server on has decided that it may run.
      if (enabled) await approve(context, server);
      context.answer({ json: { id, enabled, file }, text: `${verb}d server '${id}' in ${file}` });
      return 0;
    },
  });
}

async function approve(context: Context, server: Awaited<ReturnType<typeof findServer>>): Promise<void> {
  const { surroundings, global } = context;
  await new TrustBook(dataDirectory(surroundings, global.data), surroundings).approve([server]);
}
