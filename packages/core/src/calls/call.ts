/** Carries one call from its tool to its result: authorize, send, read. Holds no state of its own. */

import { JunctorError } from '../base/error.ts';
import { monotonicMs } from '../base/time/monotonic.ts';
import type { Answers } from '../connections/client-features/answers.ts';
import type { Links } from '../connections/links.ts';
import type { ProgressParams } from '../connections/rpc/conversation.ts';
import { whileUnaborted, withoutResult } from '../connections/rpc/failures.ts';
import type { Ask } from '../permissions/approvals.ts';
import { type AuthorizeDeps, authorize } from '../permissions/authorize.ts';
import type { Caller, ToolCall, ToolRef } from '../permissions/caller.ts';
import { type DecidedBy, type Decision, denialText } from '../permissions/decision.ts';
import { malformedResult } from '../results/malformed.ts';
import { nestsTooDeeply } from '../results/nesting.ts';
import { type OutputMisfit, refusal, type ToolResult } from '../results/tool-result.ts';
import { answeredAsUnknown, unknownTool } from './no-such-tool.ts';
import { type CallEnd, type CallObserver, failedEnd } from './observer.ts';
import type { OutputChecks } from './output-checks.ts';
import type { CachePlace } from './result-cache.ts';
import type { Results } from './results.ts';
import { RetryPolicy } from './retry.ts';
import { namingArguments } from './unwritable-arguments.ts';
import { visitFirst } from './visit-first.ts';

export type { ToolRef } from '../permissions/caller.ts';

/** What one call is given along. */
export interface CallOptions {
  /** Gives the call up: its server is told, and the call fails with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Told how far the server is. Without it the server is not asked to tell. */
  readonly onProgress?: ((progress: ProgressParams) => void) | undefined;
  /** Asked in place of the host's own `ask`. */
  readonly ask?: Ask | undefined;
  /** Whose session it is, where one host serves several: a grant for the session is one for that session. */
  readonly session?: string | undefined;
  /** Who calls, where one host serves several. Without it the program itself does. */
  readonly caller?: Caller | undefined;
  /** Asks the server to run the call as a task, where the tool may be called either way. */
  readonly asTask?: boolean | undefined;
  /** Watches the call. One that has an `id` reports it to the host's listeners itself. */
  readonly observer?: CallObserver | undefined;
  /** Replaces single parts of what the decision is made from. */
  readonly permissions?: Partial<AuthorizeDeps> | undefined;
  /** Where the call is sent, for a program that runs several instances of a server. Default: the one that lists its tools. */
  readonly connections?: Pick<Links, 'live' | 'ready'> | undefined;
  /** Takes the result as the server sent it, however large: nothing is cut, resized or answered from the cache. */
  readonly whole?: boolean | undefined;
}

export interface CallRooms {
  /** Decides whether a call may run. */
  readonly permissions: AuthorizeDeps;
  /** Why a lockfile keeps the tool from being sent again over a new connection. */
  readonly withheld?: ((ref: ToolRef) => Promise<JunctorError | undefined> | undefined) | undefined;
  readonly links: Links;
  readonly results: Results;
  /** Compares structured output with what its tool declares. */
  readonly outputs?: Pick<OutputChecks, 'check'> | undefined;
  /** Watches every call, besides who watches one of them. */
  readonly observer?: CallObserver | undefined;
  /** Whether running it twice does no harm, as its server says. */
  readonly repeatable?: ((ref: ToolRef) => boolean) | undefined;
  /** Reads the list of a server whose tools have to be known before they are called. */
  readonly list?: ((server: string) => Promise<readonly { readonly name: string }[]>) | undefined;
  /** Sends a person to the pages a server wants visited before it runs a call. */
  readonly answers?: Answers | undefined;
}

export function call(deps: CallRooms, ref: ToolRef, args: unknown, options: CallOptions): Promise<ToolResult> {
  return run(deps, { ref, arguments: args ?? {}, caller: callerOf(options) }, options);
}

async function run(deps: CallRooms, toolCall: ToolCall, options: CallOptions): Promise<ToolResult> {
  const { ref, arguments: given } = toolCall;
  let sent = false;
  let since = monotonicMs();
  try {
    const { list, results } = deps;
    const { observer, connections = deps.links } = options;
    // Fast path: skip the awaits when nobody has to be asked and nothing looked up. Each await costs every call.
    const deciding = decide(deps, toolCall, options);
    const denial = deciding instanceof Promise ? await deciding : deciding;
    if (denial) return ended(deps, toolCall, options, deniedEnd(denial));
    const looking = results.lookUp(ref, given, options);
    const place = looking && (await looking);
    if (place?.held) return ended(deps, toolCall, options, heldEnd(place.held));
    const sending = withProgress(toolCall, options);
    let answer: unknown;
    let attempts: Attempts | undefined;
    while (answer === undefined) {
      let leaves = false;
      try {
        // A cancelled call must not wait for a server that is still connecting.
        const link =
          connections.live(ref.server) ??
          (await whileUnaborted(ref.server, options.signal, connections.ready(ref.server)));
        if (list && link.mustList(ref.tool)) {
          const listed = list(ref.server).catch(() => {});
          await whileUnaborted(ref.server, options.signal, listed);
        }
        const unwritten = attempts ? undefined : observer?.sending?.(toolCall);
        if (unwritten) await unwritten;
        // A call that was cancelled by now does not leave.
        leaves = !options.signal?.aborted;
        sent ||= leaves;
        since = monotonicMs();
        const arrived = readable(ref, await link.callTool(ref.tool, given, sending));
        const unknown =
          'isError' in arrived && arrived.isError === true && (await answeredAsUnknown(arrived, ref, list));
        if (unknown) throw unknown;
        answer = arrived;
      } catch (error) {
        attempts ??= { retry: retryOf(deps, ref), visited: false };
        await beforeNext(deps, ref, options, { attempts, failure: attempts.retry.settle(error, leaves) });
      }
    }
    const servedMs = monotonicMs() - since;
    const checking = deps.outputs?.check(ref, answer);
    const misfit = checking && (await checking);
    return await delivered(deps, toolCall, options, { answer, servedMs, place, misfit });
  } catch (error) {
    const named = namingArguments(error, ref, given);
    ended(deps, toolCall, options, { ...failedEnd(named, sent), servedMs: monotonicMs() - since });
    throw named;
  }
}

export interface Arrival {
  /** What the server answered. */
  readonly answer: unknown;
  readonly servedMs: number;
  /** Where the result is kept, for whoever asks the same again. */
  readonly place: CachePlace | undefined;
  readonly misfit?: OutputMisfit | undefined;
}

/** The result of an answer: in our shape, and cut where it is too long. At once where nothing has to be cut. */
export function delivered(
  deps: Pick<CallRooms, 'results' | 'observer'>,
  toolCall: ToolCall,
  options: CallOptions,
  { answer, servedMs, place, misfit }: Arrival,
): ToolResult | Promise<ToolResult> {
  const { result, failed, code, bytes } = deps.results.arrived(toolCall.ref, answer, options, misfit);
  const finish = (given: ToolResult): ToolResult => {
    place?.keep(given);
    return ended(deps, toolCall, options, { outcome: 'done', failed, code, bytes, servedMs, result: given });
  };
  return result instanceof Promise ? result.then(finish) : finish(result);
}

type ResultEnd = CallEnd & { readonly result: ToolResult };

export function ended(
  deps: Pick<CallRooms, 'observer'>,
  toolCall: ToolCall,
  options: CallOptions,
  end: ResultEnd,
): ToolResult;
export function ended(
  deps: Pick<CallRooms, 'observer'>,
  toolCall: ToolCall,
  options: CallOptions,
  end: CallEnd,
): undefined;
export function ended(
  { observer }: Pick<CallRooms, 'observer'>,
  toolCall: ToolCall,
  options: CallOptions,
  end: CallEnd,
): ToolResult | undefined {
  observer?.ended?.(toolCall, end);
  options.observer?.ended?.(toolCall, end);
  return end.result;
}

export function deniedEnd(result: ToolResult): ResultEnd {
  return { outcome: 'not_sent', failed: true, code: result.code ?? 'permission_denied', bytes: 0, result };
}

export function heldEnd(result: ToolResult): ResultEnd {
  return { outcome: 'not_sent', failed: !result.success, bytes: 0, cached: true, result };
}

/** The server is asked for progress only where somebody wants it. */
function withProgress(toolCall: ToolCall, options: CallOptions): CallOptions {
  const { observer, onProgress } = options;
  if (!observer?.progressed) return options;
  return {
    ...options,
    onProgress(progress) {
      observer.progressed?.(toolCall, progress);
      onProgress?.(progress);
    },
  };
}

interface Attempts {
  readonly retry: RetryPolicy;
  /** A person was sent to the pages that the server wanted visited. */
  visited: boolean;
}

function retryOf({ repeatable, withheld }: CallRooms, ref: ToolRef): RetryPolicy {
  return new RetryPolicy({ safeToRepeat: () => repeatable?.(ref) ?? false, withheld: () => withheld?.(ref) });
}

/** Comes back when it is time to send the call again; throws what the caller gets where it is not. */
async function beforeNext(
  { answers, list }: CallRooms,
  ref: ToolRef,
  { signal }: CallOptions,
  { attempts, failure }: { readonly attempts: Attempts; readonly failure: unknown },
): Promise<void> {
  const visit = visitFirst(failure, ref, { answers, signal, again: attempts.visited });
  attempts.visited ||= visit !== undefined;
  if (visit) await visit;
  else if (!(await attempts.retry.repeats(failure, signal))) throw (await unknownTool(failure, ref, list)) ?? failure;
}

/** Undefined: it may run. Else a refusal that a model can read. A promise only where somebody has to be waited for. */
function decide(
  rooms: CallRooms,
  toolCall: ToolCall,
  options: CallOptions,
): ToolResult | Promise<ToolResult | undefined> | undefined {
  const deps = options.permissions ? { ...rooms.permissions, ...options.permissions } : rooms.permissions;
  const decision = authorize(toolCall, deps, options);
  if (decision instanceof Promise) return decision.then(decided => judged(toolCall, decided, options));
  return judged(toolCall, decision, options);
}

function judged(toolCall: ToolCall, decision: Decision, { observer }: CallOptions): ToolResult | undefined {
  observer?.judged?.(toolCall, decision);
  return refused(decision);
}

/** The program that holds the host, where nobody else is named. */
export function callerOf({ caller, session }: Pick<CallOptions, 'caller' | 'session'>): Caller {
  return caller ?? (session === undefined ? THE_PROGRAM : { ...THE_PROGRAM, session });
}

const THE_PROGRAM: Caller = { surface: 'library' };

/**
 * A call that a rule or a person denies is a result: the model reads it and goes on. A tool that does not exist or is locked,
 * and a call that nobody can be asked about, are thrown: the program has to change something first.
 */
export function refused(decision: Decision): ToolResult | undefined {
  if (decision.effect === 'deny' && NOT_FOR_THE_MODEL.has(decision.by)) throw decision.error;
  return denialResult(decision);
}

const NOT_FOR_THE_MODEL: ReadonlySet<DecidedBy> = new Set(['catalogue', 'lockfile', 'nobody']);

/** A denial as a result that a model can read; undefined where the call may run. */
export function denialResult(decision: Decision): ToolResult | undefined {
  return decision.effect === 'allow' ? undefined : refusal(denialText(decision.error), decision.error.code);
}

function readable(ref: ToolRef, answer: unknown): object {
  if (typeof answer !== 'object' || answer === null) throw withoutResult(ref.server, `the call of '${ref.tool}'`);
  if (nestsTooDeeply(answer)) throw tooDeep(ref);
  const why = malformedResult(answer);
  if (why !== undefined) throw notAResult(ref, why);
  return answer;
}

function notAResult({ server, tool }: ToolRef, why: string): JunctorError {
  return new JunctorError(
    'malformed_response',
    `Server '${server}' answered the call of '${tool}' with something that is not a tool result.`,
    { server, why, hint: 'report it to the author of the server' },
  );
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
