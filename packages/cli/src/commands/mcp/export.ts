import { isEnabled, loadMcpConfig, readConfig } from '@junctor/core/config-read';
import {
  type AgentTarget,
  describeDrift,
  documentOf,
  learnSecrets,
  planWrite,
  previewServers,
  type ServersWritten,
  tokenVariable,
  unifiedDiff,
  writeServers,
} from '@junctor/core/config-write';
import { JunctorError } from '@junctor/core/light';
import { oneOf } from '../../choice.ts';
import { defineCommand } from '../../command.ts';
import { agentTarget } from '../../config-files/agent-target.ts';
import { type Exports, exportsFor } from '../../config-files/exports.ts';
import { type Context, loadOptions } from '../../context.ts';
import { asWord } from '../../output/as-word.ts';
import { checkExport, removeExport, undoExport } from './export-back.ts';

export const mcpExport = defineCommand({
  options: {
    via: { value: 'hub|direct', help: 'one entry that leads to the hub, or each server itself (default: direct)' },
    executor: { value: 'NAME', help: 'as the agent needs it on this executor (default: local)' },
    project: {
      value: 'FOLDER',
      help: 'with --via hub: the entry leads to the servers of this project (default: to what the hub itself serves)',
    },
    write: { help: "write to the agent's own user file" },
    out: { value: 'FILE', help: 'write to this file' },
    'dry-run': { help: 'show what would be written, and write nothing' },
    undo: { help: 'put the file back as it was before the last write' },
    remove: { help: 'take out of the file what Junctor wrote, and leave the rest' },
    check: { help: 'say what changed since Junctor wrote it, or where the hub is now; exit code 1 if anything' },
  },
  details: `Secrets are never copied: where the agent can read variables it gets their names, else the server is left out.
Before a file is changed it is copied into the data directory.`,
  async run(context, { options, words }) {
    const backwards = (['undo', 'remove', 'check'] as const).filter(name => options[name]);
    const clash = backwards.length > 0 && options.write ? [...backwards, 'write'] : backwards;
    if (clash.length > 1) throw atOdds(`--${clash[0]}`, `--${clash[1]}`);
    if (options.write && options.out) throw atOdds('--write', '--out');
    if (options.project !== undefined && options.via !== 'hub') throw projectNeedsHub();
    const via = oneOf('via', options.via ?? 'direct', ['hub', 'direct']);
    const { out, executor, project } = options;
    const dryRun = options['dry-run'];
    const target = await agentTarget(context, words[0] as string, { out, executor });
    if (options.undo) return undoExport(context, target, dryRun);
    if (options.remove) return removeExport(context, target, dryRun);
    if (options.check) return checkExport(context, target, executor);
    const exports = await exportsFor(context, target.dialect, { via, executor, project });
    const wrote = !dryRun && (options.write || out !== undefined);
    const written = await (wrote
      ? writeServers(target, exports.wanted)
      : dryRun
        ? previewServers(target, exports.wanted)
        : asOwnFile(target, exports));
    await learnSecrets(context.redactor, target.file, written.before);
    const leftOut = [...exports.leftOut, ...written.leftOut];
    const { exported, replaced, backup, after } = written;
    context.answer({
      json: {
        agent: target.dialect.name,
        via,
        file: target.file,
        exported,
        replaced,
        left_out: leftOut,
        written: wrote,
        backup: backup ?? null,
        content: after,
      },
      text: textOf(target, written, { wrote, dryRun }),
    });
    if (exports.obstacle !== undefined)
      context.talk(
        `warning: ${target.dialect.title} on executor '${executor}' does not reach the hub: ${exports.obstacle}`,
      );
    for (const { id, because } of leftOut) context.talk(`warning: left out '${id}': ${because}`);
    if (wrote) tellNextSteps(context, target, written, { out, executor, supposedHub: exports.supposedHub });
    if (wrote && via === 'hub') await tellTwice(context, target, after);
    // A script must not take it for done.
    return wrote && exported.length === 0 && leftOut.length > 0 ? 1 : 0;
  },
});

/** As a file of its own, whatever the agent's holds. */
async function asOwnFile({ dialect, file }: AgentTarget, { wanted }: Exports): Promise<ServersWritten> {
  const plan = planWrite(dialect, await documentOf(file, undefined), undefined, wanted);
  return { ...plan, before: '', after: plan.after.text, backup: undefined };
}

function textOf(
  { file }: AgentTarget,
  { before, after, exported }: ServersWritten,
  { wrote, dryRun }: { wrote: boolean; dryRun: boolean },
): string {
  if (dryRun) return unifiedDiff(file, before, after) || 'nothing would change';
  if (!wrote) return after.trimEnd();
  return exported.length > 0 ? `wrote ${exported.length} server(s) to ${file}` : `wrote no server to ${file}`;
}

function tellNextSteps(
  context: Context,
  { dialect }: AgentTarget,
  written: ServersWritten,
  { out, executor, supposedHub }: Readonly<Record<'out' | 'executor' | 'supposedHub', string | undefined>>,
): void {
  const { commands } = context;
  const on = executor === undefined ? '' : ` --executor ${asWord(executor)}`;
  // The same file again.
  const place = out === undefined ? on : ` --out ${asWord(out)}`;
  const undo = commands.line(`mcp export ${dialect.name} --undo${place}`);
  const { backup, overwritten, replaced, stayed, after } = written;
  for (const drift of overwritten) context.talk(`wrote anew what somebody had changed: ${describeDrift(drift)}`);
  for (const id of replaced) context.talk(`replaced '${id}', which was not written by Junctor`);
  for (const { id } of stayed) context.talk(`left '${id}' in the file: somebody changed it since Junctor wrote it`);
  if (backup) context.talk(`the file as it was: ${backup} (back to it: ${undo})`);
  const variable = tokenVariable(dialect.name);
  if (after.includes(variable))
    context.talk(
      `set ${variable} where ${dialect.title} runs: ${commands.line(`hub token --agent ${dialect.name}${on}`)}`,
    );
  if (supposedHub)
    context.talk(`no hub runs now; ${dialect.title} looks for one at ${supposedHub}: ${commands.line('hub')}`);
}

/** What the agent's file had before it was led to the hub: the agent goes on starting it, past the permissions. */
async function tellTwice(context: Context, { dialect, file }: AgentTarget, text: string): Promise<void> {
  const read = await readConfig(file, text, { dialect: dialect.name, home: context.surroundings.home });
  if (!read.ok) return;
  const { servers } = await loadMcpConfig({ ...loadOptions(context), strict: false });
  const twice = Object.keys(read.reading.config.servers).filter(id => {
    const server = servers.get(id);
    return server !== undefined && isEnabled(server);
  });
  if (twice.length === 0) return;
  const [are, them] = twice.length === 1 ? ['is', 'it'] : ['are', 'them'];
  context.talk(
    `${twice.map(id => `'${id}'`).join(', ')} ${are} in the file, too: ${dialect.title} has ${them} twice, and the second way knows no permissions; take ${them} out there`,
  );
}

function projectNeedsHub(): JunctorError {
  return new JunctorError('usage', '--project needs --via hub: it names the servers that the hub gives to the agent.', {
    hint: 'without the hub, run the command in the folder of the project',
  });
}

function atOdds(one: string, other: string): JunctorError {
  return new JunctorError('usage', `${one} and ${other} do not go together.`, { hint: 'junctor mcp export --help' });
}
