/** The error of a call by a name that nothing has: with what was perhaps meant, and what may have kept it away. */
import { JunctorError } from '../base/error.ts';
import { similarName } from './similar-tool.ts';
import type { Snapshot } from './snapshot.ts';

/** `failed`: servers that did not answer. */
export function toolNotFound(name: string, { entries, hidden }: Snapshot, failed: readonly string[]): JunctorError {
  const near = similarName(name, entries);
  const meant = near === undefined ? '' : `did you mean '${near}'? `;
  const reasons = [
    ...(failed.length > 0 ? [`these servers did not answer: ${failed.join(', ')}`] : []),
    ...(hidden.length > 0 ? [`a lockfile hides ${hidden.length} tools`] : []),
  ];
  const error = new JunctorError('tool_not_found', `There is no tool '${name}'.`, {
    unsent: true,
    ...(reasons.length > 0 ? { why: reasons.join('\n') } : {}),
    hint: `${meant}host.tools() has all of them${failed.length > 0 ? ', host.failures() says why servers are missing' : ''}`,
    command: `${meant && `${meant}All of them: `}junctor mcp tools${hidden.length > 0 ? '; what is hidden: junctor lock diff' : ''}`,
  });
  error.outcome = 'not_sent';
  return error;
}
