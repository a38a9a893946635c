/** Carries one call from its tool to its result: judge, ask, send, read. Holds no state of its own. */

import { JunctorError } from '../base/error.ts';
import { monotonicMs } from '../base/monotonic.ts';
import type { Ask } from '../gate/approvals.ts';
import type { ProgressParams } from '../link/conversation.ts';
import { whileUnaborted } from '../link/failures.ts';
import type { Answers } from '../link/inbound/answers.ts';
import type { Links } from '../link/links.ts';
import { nestsTooDeeply } from '../result/nesting.ts';
import type { ToolResult } from '../result/tool-result.ts';
import { Attempts } from './attempts.ts';
import { answeredAsUnknown, noSuchTool } from './no-such-tool.ts';
import { type PermissionRooms, refused } from './permission.ts';
import type { Results } from './results.ts';
import { namingArguments } from './unwritable-arguments.ts';

/** A tool by its server and the server's own name for it. No two tools have the same. */
export interface ToolRef {
  /** The id of the server in the config. */
  readonly server: string;
  /** As the server calls it. */
  readonly tool: string;
}

/** What one call is given along. */
export interface CallOptions {
  /** Gives the call up: its server is told, and the call fails with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Told how far the server is. Without it the server is not asked to tell. */
  readonly onProgress?: ((progress: ProgressParams) => void) | undefined;
  /** Asked in place of the host's own `ask`. */
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
  try {
    const { links, list, results } = rooms;
    const given = args ?? {};
    // Most calls have nothing to wait for before they are sent: each wait would cost every one of them.
    const asking = refusal(rooms, ref, given, options);
    const denial = asking && (await asking);
    if (denial) return denial;
    const looking = results.lookUp(ref, given, options);
    const place = looking && (await looking);
    if (place?.held) return place.held;
    let since = monotonicMs();
    let answer: unknown;
    let attempts: Attempts | undefined;
    while (answer === undefined) {
      let sent = false;
      try {
        // Whoever gives the call up does not wait for a server that is still being opened.
        const link =
          links.live(ref.server) ?? (await whileUnaborted(ref.server, options.signal, links.ready(ref.server)));
        if (list && link.mustList(ref.tool)) {
          const listed = list(ref.server).catch(() => {});
          await whileUnaborted(ref.server, options.signal, listed);
        }
        // What was given up by now does not leave.
        sent = !options.signal?.aborted;
        since = monotonicMs();
        const arrived = readable(ref, await link.callTool(ref.tool, given, options));
        const unknown =
          'isError' in arrived && arrived.isError === true && (await answeredAsUnknown(arrived, ref, list));
        if (unknown) throw unknown;
        answer = arrived;
      } catch (error) {
        attempts ??= new Attempts(rooms, ref, options);
        await attempts.failed(error, { sent, since });
      }
    }
    return results.arrived(ref, answer, { since, options, place });
  } catch (error) {
    throw namingArguments(error, ref, args);
  }
}

/** Why it may not run, where somebody says no. A promise only where somebody has to be waited for. */
function refusal(
  rooms: CallRooms,
  ref: ToolRef,
  args: unknown,
  options: CallOptions,
): Promise<ToolResult | undefined> | undefined {
  const server = rooms.links.expect(ref.server);
  if (server.filtered && !server.offers(ref.tool)) throw noSuchTool(ref, 'the config leaves this tool out');
  const locked = rooms.withheld?.(ref);
  const { gate } = rooms.permission;
  if (!locked && gate.judge(ref.server, ref.tool, args).effect === 'allow') return undefined;
  return refusalByPerson(rooms, ref, args, options, locked);
}

async function refusalByPerson(
  { permission, withheld }: CallRooms,
  ref: ToolRef,
  args: unknown,
  options: CallOptions,
  locked: Promise<JunctorError | undefined> | undefined,
): Promise<ToolResult | undefined> {
  expectFree(await locked);
  const asking = refused(permission, ref, args, options);
  const denial = await asking;
  // While somebody was asked, the tool may have become another one.
  if (asking && !denial) expectFree(await withheld?.(ref));
  return denial;
}

function expectFree(withheldBecause: JunctorError | undefined): void {
  if (withheldBecause) throw withheldBecause;
}

function readable(ref: ToolRef, answer: unknown): object {
  if (typeof answer !== 'object' || answer === null) throw withoutResult(ref);
  if (nestsTooDeeply(answer)) throw tooDeep(ref);
  return answer;
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
