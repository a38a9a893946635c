/** The file of an agent that a command writes: its own, another that was named, or the one it has on an executor. */
import { resolve } from 'node:path';
import { policyFor, siteOf } from '@junctor/core/config-read';
import { type AgentTarget, agentDialect, agentFile } from '@junctor/core/config-write';
import { dataDirectory, JunctorError, type Surroundings } from '@junctor/core/light';
import type { Context } from '../context.ts';
import { approvedConfig } from './approved-config.ts';

export interface TargetOptions {
  /** A file in the place of the agent's own. */
  readonly out?: string | undefined;
  readonly executor?: string | undefined;
  /** What else one can do where the file is not found there. Default: name it with --out. */
  readonly otherwise?: string | undefined;
}

export async function agentTarget(context: Context, agent: string, options: TargetOptions): Promise<AgentTarget> {
  const { surroundings, global } = context;
  const dialect = agentDialect(agent);
  const file = options.out
    ? resolve(surroundings.cwd, options.out)
    : agentFile(dialect, await surroundingsOn(context, agent, options));
  return { file, dialect, dataDirectory: dataDirectory(surroundings, global.data) };
}

/** Where the agent finds its files there: this machine sees only what `home` of the executor says. */
async function surroundingsOn(context: Context, agent: string, options: TargetOptions): Promise<Surroundings> {
  const { surroundings } = context;
  const { executor, otherwise = 'name the file: --out FILE' } = options;
  if (executor === undefined || executor === 'local') return surroundings;
  const { config } = await approvedConfig(context, 'telling');
  const policy = policyFor(config.frame, executor, agent);
  const { home } = policy;
  // A sandbox is on this machine: it confines the servers, and the agent has its files where they always are.
  if (home === undefined && siteOf(executor, policy)?.kind === 'sandbox') return surroundings;
  if (home === undefined) {
    throw new JunctorError('usage', `Junctor does not know where agents on executor '${executor}' have their files.`, {
      why: `executors.${executor}.home is not set`,
      hint: `set it to the folder where this machine sees their home directory, or ${otherwise}`,
    });
  }
  const there = resolve(surroundings.cwd, home);
  return { cwd: there, home: there, env: {}, platform: 'linux' };
}
