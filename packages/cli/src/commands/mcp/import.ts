import { readConfig, readText } from '@junctor/core/config-read';
import { changeServers, collectImports, hideSecrets, previewChange, unifiedDiff } from '@junctor/core/config-write';
import { JunctorError } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { approveWritten } from '../../config-files/approve.ts';
import { editOptions, SCOPE_OPTION, targetFile, tellWritten } from '../../config-files/scope.ts';
import { withSecrets } from '../../config-files/secret-values.ts';
import { dialectOf } from '../../context.ts';
import { table } from '../../output/table.ts';

export const mcpImport = defineCommand({
  options: {
    scope: { ...SCOPE_OPTION, help: 'which file to write (default: global)' },
    'dry-run': { help: 'show what would be written, and write nothing' },
    replace: { help: 'overwrite servers of the same id' },
  },
  details: `FROM is an agent (claude-code, codex, …) or a file. Without it the user files of every agent that is found
are read; files that came with a project have to be named.
It is a copy: the agent's own file stays as it is. Literal secrets go to the secret store.`,
  async run(context, { options, words }) {
    const target = await targetFile(context, options.scope, 'global');
    const { file } = target;
    // What a file says of one folder only is copied only into a project.
    const project = target.scope === 'global' ? undefined : context.surroundings.cwd;
    const {
      found,
      problems,
      skipped: refused,
    } = await collectImports({
      surroundings: context.surroundings,
      from: words,
      dialect: dialectOf(context),
      project,
    });
    const known = await knownIds(context, file);
    const chosen = found.filter(({ id }) => options.replace || !known.has(id));
    const present = found
      .filter(one => !chosen.includes(one))
      .map(({ id, file: from }) => ({ id, from, because: 'it is there already (--replace overwrites it)' }));
    const skipped = [...present, ...refused.map(({ same: _, ...one }) => one)];
    const hidden = chosen.map(({ id, definition }) => ({ id, ...hideSecrets(file, id, definition) }));
    const changes = hidden.map(({ id, definition }) => ({ id, definition }));
    const secrets = hidden.flatMap(one => one.secrets);
    const edit = editOptions(context, target);
    const writes = !options['dry-run'] && changes.length > 0;
    const { before, after } = writes
      ? await withSecrets(context, secrets, () => changeServers(file, changes, edit))
      : await previewChange(file, changes, edit);
    if (writes) await approveWritten(context, target, changes);
    context.answer({
      json: {
        file,
        imported: chosen.map(({ id, file: from, name }) => ({ id, from, ...(name !== undefined && { name }) })),
        skipped,
        problems,
        dry_run: options['dry-run'],
      },
      text: options['dry-run'] && chosen.length > 0 ? unifiedDiff(file, before, after) : importText(chosen, file),
    });
    for (const { id, name } of chosen)
      if (name !== undefined) context.talk(`'${name}' is called '${id}' here: ids have letters, digits, _ and - only`);
    for (const { id, from, because } of skipped) context.talk(`skipped '${id}' from ${from}: ${because}`);
    for (const { name } of secrets) {
      context.talk(
        `${options['dry-run'] ? 'would store' : 'stored'} the secret ${name}; the file holds a reference to it`,
      );
    }
    for (const problem of problems) context.talk(`warning: ${problem}`);
    if (writes) await tellWritten(context, target);
    return 0;
  },
});

function importText(chosen: readonly { id: string; file: string }[], file: string): string {
  if (chosen.length === 0) return 'nothing to import';
  return `${table(
    ['ID', 'FROM'],
    chosen.map(({ id, file: from }) => [id, from]),
  )}\nwritten to ${file}`;
}

async function knownIds(context: Parameters<typeof targetFile>[0], file: string): Promise<ReadonlySet<string>> {
  const text = await readText(file, false);
  if (!text) return new Set();
  const read = await readConfig(file, text, { dialect: dialectOf(context), home: context.surroundings.home });
  if (!read.ok)
    throw new JunctorError('config_unreadable', `${file} is not valid.`, { hint: `junctor validate ${file}` });
  return new Set(Object.keys(read.reading.config.servers));
}
