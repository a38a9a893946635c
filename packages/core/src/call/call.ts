/** Carries one call from its tool to its result: judge, ask, send, read. Holds no state of its own. */
import { isJunctorError, JunctorError } from '../base/error.ts';
import type { Gate, Verdict } from '../gate/verdict.ts';
import type { ProgressParams } from '../link/conversation.ts';
import type { Links } from '../link/links.ts';
import { refusal, type ToolResult, toToolResult } from '../result/tool-result.ts';

export interface ToolRef {
  readonly server: string;
  readonly tool: string;
}

export interface Question extends ToolRef {
  readonly args: unknown;
  readonly because: string;
}

/** Asks a person. Absent where nobody can be asked: then the answer is no. */
export type Ask = (question: Question) => Promise<boolean>;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ProgressParams) => void) | undefined;
  readonly ask?: Ask | undefined;
}

export interface CallRooms {
  readonly gate: Gate;
  readonly links: Links;
}

export async function call(rooms: CallRooms, ref: ToolRef, args: unknown, options: CallOptions): Promise<ToolResult> {
  const { offers } = rooms.links.expect(ref.server);
  if (!offers(ref.tool)) throw noSuchTool(ref, 'the config leaves this tool out');
  const verdict = rooms.gate.judge(ref.server, ref.tool);
  if (verdict.effect !== 'allow') {
    const denial = await denied(verdict, ref, args, options.ask);
    if (denial) return denial;
  }
  try {
    return toToolResult(await send(rooms.links, ref, args ?? {}, options));
  } catch (error) {
    throw unknownTool(error, ref) ?? error;
  }
}

/** A server that forgot our session did not act on the call: in a new session it is sent once more. */
async function send(links: Links, ref: ToolRef, args: unknown, options: CallOptions): Promise<unknown> {
  const link = links.live(ref.server) ?? (await links.ready(ref.server));
  try {
    return await link.callTool(ref.tool, args, options);
  } catch (error) {
    if (!isJunctorError(error, 'session_expired')) throw error;
    return (await links.ready(ref.server)).callTool(ref.tool, args, options);
  }
}

async function denied(verdict: Verdict, ref: ToolRef, args: unknown, ask?: Ask): Promise<ToolResult | undefined> {
  const what = `'${ref.tool}' on server '${ref.server}'`;
  if (verdict.effect === 'deny') return refusal(`The call of ${what} was denied: ${verdict.because}.`);
  if (!ask) {
    throw new JunctorError('approval_required', `The call of ${what} needs a yes, and nobody can be asked.`, {
      server: ref.server,
      why: verdict.because,
      hint: `add "mcp__${ref.server}__${ref.tool}" to permissions.allow, or set "trust": "trusted" on the server`,
    });
  }
  const yes = await ask({ ...ref, args, because: verdict.because });
  return yes ? undefined : refusal(`The call of ${what} was denied by a person.`);
}

const INVALID_PARAMS = -32602;

/** Servers have no code of their own for a tool they do not know: they call its name an invalid parameter. */
function unknownTool(error: unknown, ref: ToolRef): JunctorError | undefined {
  if (!isJunctorError(error, 'server_error')) return undefined;
  const { code, message } = error.cause as { code: number; message: string };
  if (code !== INVALID_PARAMS || !message.includes(ref.tool) || !/unknown|not found/i.test(message)) return undefined;
  return noSuchTool(ref, message, error);
}

function noSuchTool(ref: ToolRef, why: string, cause?: unknown): JunctorError {
  return new JunctorError('tool_not_found', `Server '${ref.server}' has no tool '${ref.tool}'.`, {
    server: ref.server,
    why,
    hint: `junctor mcp tools ${ref.server}`,
    cause,
  });
}
