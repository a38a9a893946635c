import { resolve } from 'node:path';
import { JunctorError } from '@junctor/core/light';
import { oneOf } from '../../choice.ts';
import { defineCommand } from '../../command.ts';
import { exportServers, userFileOf } from '../../config-files/exports.ts';
import { unifiedDiff } from '../../output/diff.ts';

export const mcpExport = defineCommand({
  options: {
    via: { value: 'hub|direct', help: 'one entry that leads to the hub, or each server itself (default: direct)' },
    write: { help: "write to the agent's own user file" },
    out: { value: 'FILE', help: 'write to this file' },
    'dry-run': { help: 'show what would be written, and write nothing' },
  },
  details:
    'Secrets are never copied: where the agent can read variables it gets their names, else the server is left out.',
  async run(context, { options, words }) {
    const via = oneOf('via', options.via ?? 'direct', ['hub', 'direct']) as 'hub' | 'direct';
    const agent = words[0] as string;
    if (options.write && options.out) throw new JunctorError('usage', '--write and --out do not go together.');
    const file = options.out ? resolve(context.surroundings.cwd, options.out) : userFileOf(context, agent);
    const writes = (options.write || options.out !== undefined) && !options['dry-run'];
    const { before, after, exported, leftOut } = await exportServers(context, agent, via, {
      file,
      fresh: !options.write && !options.out,
      writes,
    });
    const text = options['dry-run']
      ? unifiedDiff(file, before, after) || 'nothing would change'
      : writes
        ? `wrote ${exported.length} server(s) to ${file}`
        : after.trimEnd();
    context.answer({ json: { agent, via, file, exported, left_out: leftOut, written: writes, content: after }, text });
    if (after.includes('"connect"'))
      context.talk("note: the command 'junctor connect' is not there yet; this entry works once it is");
    for (const { id, because } of leftOut) context.talk(`left out '${id}': ${because}`);
    return 0;
  },
});
