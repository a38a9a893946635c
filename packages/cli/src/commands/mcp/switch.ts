/** `mcp enable` and `mcp disable`: the same switch, either way. */

import { loadMcpConfig } from '@junctor/core/config-read';
import { switchServer, TrustBook } from '@junctor/core/config-write';
import { dataDirectory } from '@junctor/core/light';
import { type Command, defineCommand } from '../../command.ts';
import { isOfProject, SCOPE_OPTION, targetFile, tellWritten } from '../../config-files/scope.ts';
import { type Context, dialectOf, loadOptions } from '../../context.ts';
import { findServer } from './get.ts';

export const mcpEnable: Command = switchCommand('enable', true);
export const mcpDisable: Command = switchCommand('disable', false);

function switchCommand(verb: 'enable' | 'disable', enabled: boolean): Command {
  return defineCommand({
    options: { scope: SCOPE_OPTION },
    details: 'In project and local scope it also switches a server that only the user config defines.',
    async run(context, { options, words }) {
      const id = words[0] as string;
      const server = await findServer(context, id);
      const target = await targetFile(context, options.scope);
      const { file } = target;
      await switchServer(file, id, enabled, { home: context.surroundings.home, dialect: dialectOf(context) });
      // Whoever switches a server on has decided that it may run.
      if (enabled) await approve(context, server, file);
      context.answer({ json: { id, enabled, file }, text: `${verb}d server '${id}' in ${file}` });
      if (server.layer === 'user' && isOfProject(target))
        context.talk(`for this project only; everywhere: junctor mcp ${verb} ${id} --scope global`);
      await tellWritten(context, target);
      return 0;
    },
  });
}

async function approve(context: Context, server: Awaited<ReturnType<typeof findServer>>, file: string): Promise<void> {
  const { surroundings, global } = context;
  const book = new TrustBook(dataDirectory(surroundings, global.data), surroundings);
  await book.approve([server]);
  const { layers } = await loadMcpConfig({ ...loadOptions(context), strict: false });
  const asked = await book.powers(layers);
  const own = asked.filter(
    ({ layer, power }) => layer.file === file && power.kind === 'switch-on' && power.value === server.id,
  );
  await book.approvePowers(own);
}
