/** Servers that exist for nobody because they are written wrongly: what a program that counts on one of them is told. */
import { JunctorError } from './base/error.ts';
import type { McpConfigLoadResult } from './config/load.ts';
import { describeProblem, type Problem } from './config/problem.ts';

type Written = Pick<McpConfigLoadResult, 'servers' | 'problems'>;

/** Every such server with all that is wrong with it. One that a lower layer defines rightly is among the servers, and not here. */
export function writtenWrongly({ servers, problems }: Written): { server: string; error: JunctorError }[] {
  const named = problems.flatMap(({ server }) => server ?? []).filter(id => !servers.has(id));
  return [...new Set(named)].map(server => ({ server, error: wrongServer(server, problems) }));
}

export function wrongServer(server: string, problems: readonly Problem[]): JunctorError {
  return new JunctorError('config_invalid', `Server '${server}' is written wrongly, and left out.`, {
    server,
    why: told(problems.filter(one => one.server === server)),
    hint: 'mend what is named',
  });
}

/** A config that a program brings along and that is none: without it the host would have no servers, and nobody would know why. */
export function noConfig(problems: readonly Problem[]): JunctorError {
  return new JunctorError('config_invalid', 'The config that createHost was given cannot be read.', {
    why: told(problems),
    hint: 'pass { config: { version: 1, servers: { … } } }, or leave config out to read files',
  });
}

function told(problems: readonly Problem[]): string {
  return problems.map(describeProblem).join('\n');
}
