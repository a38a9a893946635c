/** One measurement in a fresh process, so that no contestant runs on code that another one warmed up. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from './contestants/contestant.ts';
import { findLibrary } from './contestants/libraries.ts';
import { openEndpoint } from './endpoint.ts';
import { perform } from './jobs.ts';
import { isUpstream, processesOf } from './process-tree.ts';
import { ANSWER_MARK, type Target, type Task } from './task.ts';

const { target, job } = JSON.parse(process.argv[2] ?? '') as Task;
const connection = await open(target);
const values = await perform(job, { target, connection, measured: measuredProcesses(target) });
process.stdout.write(`${ANSWER_MARK}${JSON.stringify(values)}\n`);

/** The answer is out: a contestant that cannot close must not hold up the others. */
const CLOSE_PATIENCE_MS = 1000;
await Promise.race([connection.close(), sleep(CLOSE_PATIENCE_MS)]).catch(() => {});
process.exit(0);

async function open(target: Target): Promise<Connection> {
  if (target.kind === 'endpoint') return openEndpoint(target);
  return findLibrary(target.library).connect(target.upstreams);
}

function measuredProcesses(target: Target): readonly number[] {
  if (target.kind === 'library') return [process.pid];
  if (!target.gateway) return [];
  return processesOf(target.gateway.pid, target.gateway.home).filter(pid => !isUpstream(pid));
}
