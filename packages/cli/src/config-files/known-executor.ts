/** Executors that a person may mean: those built in, and those that files name. */
import { EXECUTORS, loadMcpConfig, policyFor, whyNoPlace } from '@junctor/core/config-read';
import { JunctorError, nearest } from '@junctor/core/light';
import { type Context, loadOptions } from '../context.ts';

/** A slip of the pen must not look like an executor whose servers all run on this machine. */
export async function expectExecutor(context: Context, executor: string | undefined): Promise<void> {
  if (executor === undefined) return;
  const known = await knownExecutors(context);
  if (known.includes(executor)) return;
  const near = nearest(executor, known);
  throw new JunctorError('usage', `There is no executor '${executor}'.`, {
    why: `known executors: ${known.join(', ')}`,
    hint: near === undefined ? 'name one of them, or add it to executors in the config' : `did you mean '${near}'?`,
  });
}

/** Also those of files that wait for approval. */
export async function knownExecutors(context: Context): Promise<string[]> {
  const { frame } = await loadMcpConfig({ ...loadOptions(context), strict: false });
  const ofAgents = Object.values(frame.agents ?? {}).flatMap(({ executors = {} }) => Object.keys(executors));
  return [...new Set([...EXECUTORS, ...Object.keys(frame.executors ?? {}), ...ofAgents])];
}

/** What a person should know who sends an agent to an executor where no program can start. */
export async function whyNothingStarts(
  context: Context,
  executor: string,
  agent: string | undefined,
): Promise<string | undefined> {
  const { frame } = await loadMcpConfig({ ...loadOptions(context), strict: false });
  const noPlace = whyNoPlace(executor, policyFor(frame, executor, agent));
  return (
    noPlace && `no settings of executor '${executor}' say where programs start, so none does: ${noPlace.next?.hint}`
  );
}
