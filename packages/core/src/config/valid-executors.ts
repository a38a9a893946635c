/**
 * The executors of a file in which some are written wrongly. The good ones count. On a bad one nothing runs: it may have said
 * that servers are to be confined, and must not let them loose on this machine by a slip of the pen. Pure.
 */
import { isObject } from './dialects/entry-reader.ts';
import { type ExecutorMcpPolicy, ExecutorPolicy } from './schema.ts';

export function validExecutors(written: unknown): Record<string, ExecutorMcpPolicy> {
  const executors = Object.entries(isObject(written) ? written : {}).flatMap(([name, policy]) => {
    const judged = ExecutorPolicy.safeParse(policy);
    if (judged.success) return [[name, judged.data] as const];
    // This machine is where servers run anyway.
    return name === 'local' ? [] : [[name, NOTHING] as const];
  });
  return Object.fromEntries(executors);
}

const NOTHING: ExecutorMcpPolicy = {
  allow_stdio: false,
  allow_http: false,
  allow_sse: false,
  allow_streamable_http: false,
  allow_ws: false,
};
