import type { DoctorReport, Finding, Orphan, ServerReport } from '@junctor/core';
import { defineCommand } from '../command.ts';
import { expectExecutor } from '../config-files/known-executor.ts';
import { hostOptions } from '../context.ts';
import { wholeNumber } from '../number-option.ts';
import { fitLines } from '../output/fit.ts';
import { table } from '../output/table.ts';

export const doctor = defineCommand({
  options: {
    timeout: {
      value: 'MS',
      help: 'how long one try may take (default: connect_timeout_ms of the server, at most 15000)',
    },
    model: {
      value: 'M',
      help: 'say what this model gets otherwise: openai, anthropic/claude-…, a profile of the config, …',
    },
    executor: { value: 'NAME', help: 'try servers where they run for agents on this executor (default: local)' },
    verbose: { help: 'show every step of healthy servers, too' },
    client: { value: 'C', help: 'say what this client gets otherwise: claude-code, codex, cursor, …' },
  },
  details: `It looks at each server from its config to its end: the program or the address, the start, both eras of the
protocol, the sign-in, the tools and what they cost. No tool is called, nothing is remembered, and whatever was started is
ended again. Then it looks for processes that an earlier Junctor left behind.

exit codes: 0 all well, 1 something is broken, 3 nothing is broken and somebody has to sign in or to approve`,
  async run(context, { options, words: [server] }) {
    const { model, client, executor } = options;
    const view = model === undefined && client === undefined ? undefined : { model, client };
    const timeoutMs = wholeNumber('timeout', options.timeout);
    await expectExecutor(context, executor);
    if (context.interactive)
      context.talk(server === undefined ? 'looking at all servers …' : `looking at '${server}' …`);
    const { examineServers } = await import('@junctor/core');
    const onServer = (one: ServerReport): void => {
      if (context.interactive && server === undefined) context.talk(`  ${summary(one)}`);
    };
    const wanted = { server, timeoutMs, view, executor, fromHere: true, onServer };
    const report = await examineServers({ ...hostOptions(context), ...wanted });
    const whole = options.verbose || server !== undefined;
    context.answer({ json: asDocument(report), text: asText(report, whole) });
    return EXIT_CODES[report.verdict];
  },
});

const EXIT_CODES: Readonly<Record<DoctorReport['verdict'], number>> = { well: 0, broken: 1, person: 3 };

function asDocument({ verdict, servers, problems, orphans, fix, fit }: DoctorReport): object {
  const shown = servers.map(({ id, ok, steps, fix: own }) => ({ id, ok, steps: steps.map(stepDocument), fix: own }));
  return { ok: verdict === 'well', servers: shown, problems, orphans, fix, ...(fit ? { fit } : {}) };
}

function stepDocument({ step, outcome, detail, lines, ms, facts }: Finding): object {
  const seen = { ...(lines ? { lines } : {}), ...(ms === undefined ? {} : { ms }) };
  return { ...facts, step, ok: outcome !== 'no', outcome, detail, ...seen };
}

/** One line for a server that is well; who wants to know more asks for it by name. */
function summary({ id, ok, steps }: ServerReport): string {
  if (!ok) {
    const wrong = steps.find(({ outcome }) => outcome === 'no');
    return `no    ${id}: ${wrong?.step ?? 'config'}: ${wrong?.detail ?? ''}`;
  }
  const [start, tools] = (['greeted', 'tools'] as const).map(name => steps.find(({ step }) => step === name));
  const seen = [
    tools?.detail ?? start?.detail ?? steps.at(-1)?.detail,
    start?.ms === undefined ? '' : `${start.ms} ms`,
  ];
  const warnings = steps.filter(({ outcome }) => outcome === 'warn').length;
  const more = warnings === 0 ? '' : `; ${warnings === 1 ? '1 warning' : `${warnings} warnings`}: junctor doctor ${id}`;
  return `${warnings === 0 ? 'ok  ' : 'warn'}  ${id}: ${seen.filter(Boolean).join(', ')}${more}`;
}

function asText({ servers, problems, orphans, fix, fit }: DoctorReport, whole: boolean): string {
  const healthy = whole ? [] : servers.filter(({ ok }) => ok);
  const nobody = servers.length === 0 && problems.length === 0;
  return [
    ...(nobody ? ['no MCP servers configured'] : []),
    ...(healthy.length > 0 ? [healthy.map(summary).join('\n')] : []),
    ...servers.filter(one => !healthy.includes(one)).map(serverText),
    ...(problems.length > 0 ? [['config', ...problems.map(one => `  no    ${one}`)].join('\n')] : []),
    ...(fit ? [fitLines(fit).join('\n')] : []),
    orphansText(orphans),
    fixText(fix),
  ].join('\n\n');
}

const INDENT = ' '.repeat(8);

function serverText({ id, steps }: ServerReport): string {
  const rows = table(['', '', ''], steps.map(headRow)).split('\n').slice(1);
  const lines = steps.flatMap(({ lines: more = [] }, index) => [
    `  ${rows[index]}`,
    ...more.map(line => `${INDENT}${line}`.trimEnd()),
  ]);
  return [id, ...lines].join('\n');
}

function headRow({ step, outcome, detail, ms }: Finding): string[] {
  return [outcome.padEnd(4), step, ms === undefined ? detail : `${detail} (${ms} ms)`];
}

function orphansText(orphans: readonly Orphan[] | null): string {
  if (orphans === null) return 'orphans: this system does not show whose a process is';
  if (orphans.length === 0) return 'orphans: none';
  const rows = orphans.map(({ pid, command }) => `  warn  pid ${pid}: ${command}`);
  return ['orphans', ...rows].join('\n');
}

function fixText(fix: DoctorReport['fix']): string {
  if (fix.length === 0) return 'nothing to mend';
  return ['to mend it', ...fix.map(one => `  ${one.server === undefined ? '' : `${one.server}: `}${one.fix}`)].join(
    '\n',
  );
}
