/** One call on behalf of a model. What fails is told to the model; only a call that its program gave up is thrown. */
import type { Host, ToolRef, ToolResult } from '@junctor/core';
import { isInvalidArguments } from '@junctor/core/internal';
import { isJunctorError, type JunctorError, linesOf } from '@junctor/core/light';
import type { RunOptions } from './options.ts';

export interface Answered {
  readonly result: ToolResult;
  /** Whose words the result holds. Absent where they are Junctor's own. */
  readonly from?: ToolRef;
  /** What its server finds wrong with the arguments, where it says that it is these. */
  readonly invalid?: string;
}

export async function callForModel(host: Host, from: ToolRef, args: object, options: RunOptions): Promise<Answered> {
  try {
    return { result: await host.call(from, args, options), from };
  } catch (error) {
    if (options.signal?.aborted) throw error;
    const invalid = isInvalidArguments(error) ? { invalid: host.mask(error.message) } : {};
    return { ...told(host, error), ...invalid };
  }
}

/** What could not be done, in words. A defect of ours is thrown on. */
export function told(host: Host, error: unknown): Answered {
  if (!isJunctorError(error)) throw error;
  const { result } = notRun(host.mask(wordsOf(host, error)));
  return { result: error.code === 'approval_required' ? { ...result, denied: true } : result };
}

/** A call that never reached a server, or never came back from one. */
export function notRun(sentence: string): Answered {
  const parts = [{ type: 'text', text: sentence }];
  return { result: { success: false, output: sentence, error: sentence, parts } };
}

/** The next step is meant for a person: the model can pass it on. */
function wordsOf(host: Host, error: JunctorError): string {
  return linesOf(error.message, error.why, host.stepForPerson(error)).join('\n');
}
