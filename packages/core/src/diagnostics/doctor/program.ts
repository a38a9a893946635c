/** Whether the program of a server is there, as the server's own environment and folder would find it. */
import { cannotStart } from '../../connections/process/cannot-start.ts';
import { type Environment, environmentFor } from '../../connections/process/environment.ts';
import { findCommand, type Program } from '../../connections/process/find-command.ts';
import { type Finding, failed } from './finding.ts';

export async function examineProgram(server: string, program: Program, environment: Environment): Promise<Finding> {
  const found = await findCommand(program, environmentFor(environment, program.env));
  if (found.kind !== 'found') return failed('program', cannotStart(server, program, found));
  return { step: 'program', outcome: 'ok', detail: found.file, facts: { file: found.file } };
}
