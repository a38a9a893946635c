/** Carries one call from its tool to its result: judge, ask, send, read. Holds no state of its own. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isJunctorError, JunctorError } from '../base/error.ts';
import { nearest } from '../base/nearest.ts';
import type { Ask } from '../gate/approvals.ts';
import { waitAfter } from '../link/backoff.ts';
import type { ProgressParams } from '../link/conversation.ts';
import { whileUnaborted } from '../link/failures.ts';
import type { Answers } from '../link/inbound/answers.ts';
import type { Links } from '../link/links.ts';
import { nestsTooDeeply } from '../result/nesting.ts';
import type { ToolResult } from '../result/tool-result.ts';
import { outcomeOf } from './outcome.ts';
import { type PermissionRooms, refused } from './permission.ts';
import { MAX_SENDINGS, mayRepeat } from './repeat.ts';
import type { Results, Stopwatch } from './results.ts';
import { visitFirst } from './visit-first.ts';

export interface ToolRef {
  readonly server: string;
  readonly tool: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ProgressParams) => void) | undefined;
  readonly ask?: Ask | undefined;
  /** Whose session it is, where one host serves several: a yes for the session is one for that session. */
  readonly session?: string | undefined;
  /** Asks the server to run the call as a task, where the tool may be called either way. */
  readonly asTask?: boolean | undefined;
  /** Takes the result as the server sent it, however large: nothing is cut, resized or answered from the cache. */
  readonly whole?: boolean | undefined;
}

export interface CallRooms {
  readonly permission: PermissionRooms;
  /** Why nobody may call this tool, where a lockfile hides it. */
  readonly withheld?: ((ref: ToolRef) => Promise<JunctorError | undefined> | undefined) | undefined;
  readonly links: Links;
  readonly results: Results;
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
  // Most calls have nothing to wait for before they are sent: each wait would cost every one of them.
  const locked = notWithheld(rooms, ref);
  if (locked) await locked;
  const asking = refused(rooms.permission, ref, args ?? {}, options);
  if (asking) {
    const denial = await asking;
    if (denial) return denial;
    // While somebody was asked, the tool may have become another one.
    await notWithheld(rooms, ref);
  }
  return rooms.results.of(ref, args ?? {}, options, stopwatch => send(rooms, ref, args ?? {}, options, stopwatch));
}

/** Nothing to wait for where no lockfile concerns the server. */
function notWithheld({ withheld }: CallRooms, ref: ToolRef): Promise<void> | undefined {
  return withheld?.(ref)?.then(why => {
    if (why) throw why;
  });
}

/** Sent again only where it cannot have run, or where running it twice does no harm. */
async function send(
  rooms: CallRooms,
  ref: ToolRef,
  args: unknown,
  options: CallOptions,
  stopwatch: Stopwatch,
): Promise<unknown> {
  let visited = false;
  let unsure = false;
  for (let sendings = 1; ; sendings++) {
    try {
      return await sendOnce(rooms, ref, args, options, stopwatch);
    } catch (error) {
      const visit = visitFirst(error, ref, { answers: rooms.answers, signal: options.signal, again: visited });
      if (visit) {
        await visit;
        visited = true;
        continue;
      }
      // One that may have run once may have run, whatever became of it later.
      if (isJunctorError(error) && unsure && error.outcome === 'not_sent') error.outcome = 'unknown';
      unsure ||= isJunctorError(error) && error.outcome === 'unknown';
      const again = sendings < MAX_SENDINGS && mayRepeat(error, () => rooms.repeatable?.(ref) ?? false);
      if (!again || options.signal?.aborted) throw (await unknownTool(error, ref, rooms)) ?? error;
      await sleep(waitAfter(sendings), undefined, { signal: options.signal }).catch(() => {});
      // A new connection may lead to another version of the server, in which nobody approved the tool.
      if (await rooms.withheld?.(ref)?.catch(() => error)) throw error;
    }
  }
}

async function sendOnce(
  { links, list }: CallRooms,
  ref: ToolRef,
  args: unknown,
  options: CallOptions,
  stopwatch: Stopwatch,
): Promise<unknown> {
  let sent = false;
  try {
    // Whoever gives the call up does not wait for a server that is still being opened.
    const link = links.live(ref.server) ?? (await whileUnaborted(ref.server, options.signal, links.ready(ref.server)));
    if (list && link.mustList(ref.tool)) {
      await whileUnaborted(
        ref.server,
        options.signal,
        list(ref.server).catch(() => {}),
      );
    }
    sent = true;
    stopwatch.start();
    const answer = await link.callTool(ref.tool, args, options);
    if (typeof answer !== 'object' || answer === null) throw withoutResult(ref);
    if (nestsTooDeeply(answer)) throw tooDeep(ref);
    return answer;
  } catch (error) {
    if (isJunctorError(error)) error.outcome = outcomeOf(error, sent);
    throw error;
  }
}

/** Taken for an empty result, it would look as if all were well. */
function withoutResult({ server, tool }: ToolRef): JunctorError {
  return new JunctorError('malformed_response', `Server '${server}' answered the call of '${tool}' without a result.`, {
    server,
    why: 'the result of a call is an object, and it sent something else',
    hint: 'report it to the author of the server',
  });
}

/** Whoever wrote it down, masked it or showed it would end with it. */
function tooDeep({ server, tool }: ToolRef): JunctorError {
  return new JunctorError(
    'malformed_response',
    `Server '${server}' answered the call of '${tool}' nested too deeply.`,
    {
      server,
      why: 'lists and objects stand in each other more than 500 times',
      hint: 'report it to the author of the server',
    },
  );
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
