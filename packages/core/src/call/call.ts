/** Carries one call from its tool to its result: judge, ask, send, read. Holds no state of its own. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isJunctorError, JunctorError } from '../base/error.ts';
import { nearest } from '../base/nearest.ts';
import type { Gate, Verdict } from '../gate/verdict.ts';
import { waitAfter } from '../link/backoff.ts';
import type { ProgressParams } from '../link/conversation.ts';
import type { Answers } from '../link/inbound/answers.ts';
import type { Links } from '../link/links.ts';
import { refusal, type ToolResult, toToolResult } from '../result/tool-result.ts';
import { outcomeOf } from './outcome.ts';
import { visitFirst } from './visit-first.ts';

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
  /** Asks the server to run the call as a task, where the tool may be called either way. */
  readonly asTask?: boolean | undefined;
}

export interface CallRooms {
  readonly gate: Gate;
  readonly links: Links;
  /** Whether running it twice does no harm, as its server says. */
  readonly repeatable?: ((ref: ToolRef) => boolean) | undefined;
  /** Reads the list of a server whose tools have to be known before they are called. */
  readonly list?: ((server: string) => Promise<readonly { readonly name: string }[]>) | undefined;
  /** Sends a person to the pages a server wants visited before it runs a call. */
  readonly answers?: Answers | undefined;
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
    return toToolResult(await send(rooms, ref, args ?? {}, options));
  } catch (error) {
    throw (await unknownTool(error, ref, rooms)) ?? error;
  }
}

/** How often a call is sent in all. A server that restarts is back within the waits between. */
const MAX_SENDINGS = 4;

/** Sent again only where it cannot have run, or where running it twice does no harm. */
async function send(rooms: CallRooms, ref: ToolRef, args: unknown, options: CallOptions): Promise<unknown> {
  let visited = false;
  for (let sendings = 1; ; sendings++) {
    try {
      return await sendOnce(rooms, ref, args, options);
    } catch (error) {
      const visit = visitFirst(error, ref, { answers: rooms.answers, signal: options.signal, again: visited });
      if (visit) {
        await visit;
        visited = true;
        continue;
      }
      const again = sendings < MAX_SENDINGS && mayRepeat(error, () => rooms.repeatable?.(ref) ?? false);
      if (!again || options.signal?.aborted) throw error;
      await sleep(waitAfter(sendings), undefined, { signal: options.signal }).catch(() => {});
    }
  }
}

async function sendOnce(
  { links, list }: CallRooms,
  ref: ToolRef,
  args: unknown,
  options: CallOptions,
): Promise<unknown> {
  let sent = false;
  try {
    const link = links.live(ref.server) ?? (await links.ready(ref.server));
    if (link.mustList(ref.tool)) await list?.(ref.server).catch(() => {});
    sent = true;
    return await link.callTool(ref.tool, args, options);
  } catch (error) {
    if (isJunctorError(error)) error.outcome = outcomeOf(error, sent);
    throw error;
  }
}

/** A server that could not be opened was tried often enough: only what failed on an open connection is sent again. */
function mayRepeat(error: unknown, isRepeatable: () => boolean): boolean {
  if (!isJunctorError(error)) return false;
  const { code, outcome, unsent } = error;
  if (code === 'session_expired' || unsent) return true;
  return code === 'connection_lost' && outcome === 'unknown' && isRepeatable();
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
async function unknownTool(error: unknown, ref: ToolRef, { list }: CallRooms): Promise<JunctorError | undefined> {
  if (!isJunctorError(error, 'server_error')) return undefined;
  const { code, message } = error.cause as { code: number; message: string };
  if (code !== INVALID_PARAMS || !message.includes(ref.tool) || !/unknown|not found/i.test(message)) return undefined;
  const known = (await list?.(ref.server).catch(() => [])) ?? [];
  const near = nearest(
    ref.tool,
    known.map(({ name }) => name),
  );
  return noSuchTool(ref, message, { near, cause: error });
}

function noSuchTool(ref: ToolRef, why: string, { near, cause }: { near?: string | undefined; cause?: unknown } = {}) {
  return new JunctorError('tool_not_found', `Server '${ref.server}' has no tool '${ref.tool}'.`, {
    server: ref.server,
    why,
    hint: `${near === undefined ? '' : `did you mean '${near}'? All of them: `}junctor mcp tools ${ref.server}`,
    cause,
  });
}
