/** The file of an agent that a command writes: its own, another that was named, or the one it has on an executor. */
import { resolve } from 'node:path';
import { policyFor } from '@junctor/core/config-read';
import { type AgentTarget, agentDialect, agentFile } from '@junctor/core/config-write';
import { dataDirectory, JunctorError, type Surroundings } from '@junctor/core/light';
import type { Context } from '../context.ts';
import { approvedConfig } from './approved-config.ts';

export interface TargetOptions {
  /** A file in the place of the agent's own. */
  readonly out?: string | undefined;
  readonly executor?: string | undefined;
}

export async function agentTarget(context: Context, agent: string, options: TargetOptions): Promise<AgentTarget> {
  const { surroundings, global } = context;
  const dialect = agentDialect(agent);
  const file = options.out
    ? resolve(surroundings.cwd, options.out)
    : agentFile(dialect, await surroundingsOn(context, agent, options.executor));
  return { file, dialect, dataDirectory: dataDirectory(surroundings, global.data) };
}

/** Where the agent finds its files there: this machine sees only what `home` of the executor says. */
async function surroundingsOn(context: Context, agent: string, executor: string | undefined): Promise<Surroundings> {
  const { surroundings } = context;
  if (executor === undefined || executor === 'local') return surroundings;
  const { config } = await approvedConfig(context, 'telling');
  const { home } = policyFor(config.frame, executor, agent);
  if (home === undefined) {
    throw new JunctorError('usage', `Junctor does not know where agents on executor '${executor}' have their files.`, {
      why: `executors.${executor}.home is not set`,
      hint: `set it to the folder where this machine sees their home directory, or name the file: --out FILE`,
    });
  }
  const there = resolve(surroundings.cwd, home);
  return { cwd: there, home: there, env: {}, platform: 'linux' };
}
