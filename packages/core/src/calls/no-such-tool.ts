/** A tool that its server does not have, whether we know that or the server says so. */

import { isJunctorError, JunctorError } from '../base/error.ts';
import { RPC_CODE } from '../base/rpc-code.ts';
import { nearest } from '../base/text/nearest.ts';
import { type Denied, notOffered } from '../permissions/decision.ts';
import type { CallRooms, ToolRef } from './call.ts';

/** Servers have no code of their own for a tool they do not know: they call its name an invalid parameter. */
export async function unknownTool(
  error: unknown,
  ref: ToolRef,
  list: CallRooms['list'],
): Promise<JunctorError | undefined> {
  if (!isJunctorError(error, 'server_error')) return undefined;
  const { code, message } = error.cause as { code: number; message: string };
  if (code !== RPC_CODE.invalidParams || !message.includes(ref.tool) || !/unknown|not found/i.test(message))
    return undefined;
  const known = await namesListed(ref, list);
  return noSuchTool(ref, message, { near: nearest(ref.tool, known ?? []), cause: error });
}

/** Others answer like a tool that failed. A tool may speak so of other things: only the list of the server tells. */
export async function answeredAsUnknown(
  answer: object,
  ref: ToolRef,
  list: CallRooms['list'],
): Promise<JunctorError | undefined> {
  const { content } = answer as { content?: unknown };
  const said: unknown = Array.isArray(content) ? content[0]?.text : undefined;
  if (typeof said !== 'string' || !said.includes(ref.tool) || !MISSING.test(said)) return undefined;
  const known = await namesListed(ref, list);
  if (!known || known.includes(ref.tool)) return undefined;
  return noSuchTool(ref, said, { near: nearest(ref.tool, known) });
}

const MISSING = /unknown|not found|no such|not exist/i;

/** Undefined where nobody can tell. */
async function namesListed({ server }: ToolRef, list: CallRooms['list']): Promise<string[] | undefined> {
  const listed = await list?.(server).catch(() => undefined);
  return listed?.map(({ name }) => name);
}

function noSuchTool(
  ref: ToolRef,
  why: string,
  { near, cause }: { near?: string | undefined; cause?: unknown } = {},
): JunctorError {
  const meant = near === undefined ? '' : `did you mean '${near}'? `;
  return new JunctorError('tool_not_found', `Server '${ref.server}' has no tool '${ref.tool}'.`, {
    server: ref.server,
    why,
    hint: `${meant}host.tools() has all of them`,
    command: `${meant && `${meant}All of them: `}junctor mcp tools ${ref.server}`,
    cause,
  });
}

/** The decision about a tool that the config leaves out: for callers it does not exist. */
export function leftOutByConfig(ref: ToolRef): Denied {
  return notOffered(noSuchTool(ref, 'the config leaves this tool out'));
}

/** The decision about a tool that is not on its server's list, which has these names. */
export function notListed(ref: ToolRef, names: readonly string[]): Denied {
  return notOffered(noSuchTool(ref, 'the server does not list it', { near: nearest(ref.tool, names) }));
}
