/** A host with a server that answers whatever it is told to. */
import {
  createHost,
  type Host,
  type HostOptions,
  isJunctorError,
  type JunctorError,
  type ToolResult,
} from '@junctor/core';
import { misbehaving, trusted } from '@junctor/testkit';

export function answeringHost(results: object = {}, options: HostOptions = {}): Promise<Host> {
  const servers = { any: trusted(misbehaving('answers-anything')) };
  return createHost({ config: { servers, results }, ...options });
}

export function answer(host: Host, result: object, session?: string): Promise<ToolResult> {
  return host.call({ server: 'any', tool: 'answer' }, { result }, session === undefined ? {} : { session });
}

export const text = (words: string): { type: string; text: string } => ({ type: 'text', text: words });

/** The error a call ends in. */
export async function failure(work: Promise<unknown>): Promise<JunctorError> {
  const error = await work.catch(reason => reason);
  if (isJunctorError(error)) return error;
  throw new Error(`no JunctorError: ${error}`);
}
