/** The first step: where a server is written, and whether it may be tried at all. Nothing is started. */
import { isJunctorError, type JunctorError, sentenceOf } from '../../base/error.ts';
import { stepAtCommandLine } from '../../base/told.ts';
import type { LoadedServer } from '../../config/layers.ts';
import { describeProblem, type Problem } from '../../config/problem.ts';
import type { McpServerDef } from '../../config/schema/server-schema.ts';
import { openSecrets } from '../../config/secrets/open-secrets.ts';
import { dataDirectory, ownSurroundings } from '../../config/sources/places.ts';
import { expandVariables, type Missing } from '../../config/variables.ts';
import type { Host } from '../../host/host.ts';
import type { HostOptions } from '../../host/host-options.ts';
import { availabilityOf, factsOf, whyUnavailable } from '../../resolve/availability.ts';
import type { LeftOut, ResolvedServer } from '../../resolve/roster.ts';
import { type Finding, failed } from './finding.ts';

export interface ConfigLook {
  readonly finding: Finding;
  /** Undefined where the way ends here. */
  readonly tried?: { readonly server: ResolvedServer; readonly definition: McpServerDef };
}

/** `asked`: somebody named this very server, so that being switched off is the answer and not a choice to respect. */
export async function examineConfig(
  host: Host,
  id: string,
  { asked, options }: { readonly asked: boolean; readonly options: HostOptions },
): Promise<ConfigLook> {
  const { loaded, resolution } = host;
  const problems = loaded.problems.filter(problem => problem.server === id);
  const written = loaded.servers.get(id);
  const availability = availabilityOf(id, factsOf(host));
  const error = whyUnavailable(id, availability);
  // Such a server is in no layer: only its problems tell that somebody meant to have it.
  if (!written) return { finding: invalid(error, problems) };
  const server = resolution.servers.get(id);
  if (server) return { finding: valid(written, problems), tried: { server, definition: written.definition } };
  if (availability.kind === 'left_out' && error)
    return { finding: await notTried(written, { ...availability.leftOut, error }, asked, options) };
  return { finding: valid(written, problems) };
}

function valid(written: LoadedServer, problems: readonly Problem[]): Finding {
  const fine = problems.length === 0;
  return {
    step: 'config',
    outcome: fine ? 'ok' : 'warn',
    detail: `${written.layer} layer, ${placeOf(written)}`,
    ...(fine ? {} : { lines: problems.map(describeProblem), fix: fixOf(problems) }),
    facts: { layer: written.layer, source: written.source },
  };
}

function invalid(error: JunctorError | undefined, problems: readonly Problem[]): Finding {
  return {
    step: 'config',
    outcome: 'no',
    detail: error?.message ?? '',
    lines: problems.map(describeProblem),
    fix: fixOf(problems),
    facts: { code: 'config_invalid', source: problems[0]?.file },
  };
}

function fixOf([first]: readonly Problem[]): string {
  const place = first?.line === undefined ? first?.file : `${first.file}:${first.line}`;
  return `mend ${place ?? 'its definition'}${first?.fix ? `: ${first.fix}` : ''}`;
}

async function notTried(
  written: LoadedServer,
  leftOut: LeftOut & { readonly error: JunctorError },
  asked: boolean,
  options: HostOptions,
): Promise<Finding> {
  const facts = { layer: written.layer, source: written.source, left_out: leftOut.kind };
  const where = `it is written in ${placeOf(written)}`;
  if (leftOut.kind === 'off' && !asked) {
    return { step: 'config', outcome: 'warn', detail: `not tried: ${leftOut.because}`, facts };
  }
  const told = failed('config', leftOut.error, { facts });
  const lines = [...(told.lines ?? []), where];
  if (leftOut.kind !== 'broken') return { ...told, lines };
  const fix = await howToComplete(written, options);
  return { ...told, lines, ...(fix === undefined ? {} : { fix }) };
}

/** Names each variable and secret that is missing, with the way to set it. Undefined where it is something else. */
async function howToComplete(written: LoadedServer, options: HostOptions): Promise<string | undefined> {
  const { surroundings = ownSurroundings(), data } = options;
  try {
    const secrets = await openSecrets({ surroundings, dataDirectory: dataDirectory(surroundings, data) });
    const secret = (name: string): Promise<string | undefined> => secrets.get(name);
    const expanded = await expandVariables(written.definition, { env: surroundings.env, secret });
    return expanded.ok ? undefined : [...new Set(expanded.missing.map(howToSet))].join('; ');
  } catch (error) {
    return isJunctorError(error) ? (stepAtCommandLine(error) ?? error.message) : sentenceOf(error);
  }
}

function howToSet({ kind, name, at }: Missing): string {
  return kind === 'secret' ? `junctor secret set ${name}` : `set the variable ${name}, which ${at} names`;
}

function placeOf({ source, placeOf: place }: LoadedServer): string {
  const line = place()?.line;
  return line === undefined ? source : `${source}:${line}`;
}
