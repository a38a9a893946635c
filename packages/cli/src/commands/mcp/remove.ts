import { loadMcpConfig } from '@junctor/core/config-read';
import { removeServer } from '@junctor/core/config-write';
import { defineCommand } from '../../command.ts';
import { SCOPE_OPTION, targetFile } from '../../config-files/scope.ts';
import { dialectOf, loadOptions } from '../../context.ts';

export const mcpRemove = defineCommand({
  options: { scope: SCOPE_OPTION },
  async run(context, { options, words }) {
    const id = words[0] as string;
    const { file } = await targetFile(context, options.scope);
    await removeServer(file, id, { home: context.surroundings.home, dialect: dialectOf(context) });
    const still = (await loadMcpConfig({ ...loadOptions(context), strict: false })).servers.get(id);
    context.answer({
      json: { id, file, effective: still ? { layer: still.layer, source: still.source } : null },
      text: `removed server '${id}' from ${file}`,
    });
    if (still) context.talk(`'${id}' is still defined in the ${still.layer} layer: ${still.source}`);
    return 0;
  },
});
