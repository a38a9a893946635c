/**
 * Why a server can be used, or cannot: one answer made of config, resolution and connection, and one table of the sentences
 * about it. Pure: who knows the state of a connection hands it in.
 */
import { JunctorError, type NextStep } from '../base/error.ts';
import { stepAtCommandLine } from '../base/told.ts';
import { describeProblem, type Problem } from '../config/problem.ts';
import type { Resolution } from './resolve.ts';
import type { LeftOut } from './roster.ts';
import { unknownServer } from './unknown-server.ts';

export type Availability =
  /** Nothing is known that keeps it away: it is connected, or can be tried. */
  | { readonly kind: 'usable' }
  | { readonly kind: 'connecting' }
  /** It was tried in vain, or asks for a sign-in. */
  | { readonly kind: 'unreachable'; readonly error: JunctorError }
  /** It is defined, but not for this run. */
  | { readonly kind: 'left_out'; readonly leftOut: LeftOut }
  /** It is written wrongly, so that it exists for nobody. */
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] }
  /** Nobody defines it. */
  | { readonly kind: 'unknown'; readonly known: readonly string[]; readonly leftOut: readonly string[] };

/** What a host, or a command without one, knows of its servers. */
export interface ServerFacts {
  /** The servers of this run, by id. */
  readonly servers: Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'>;
  readonly leftOut: readonly LeftOut[];
  readonly problems: readonly Problem[];
}

/** How its connection is, as far as that matters here. */
interface Connection {
  readonly kind: string;
  readonly lastError?: JunctorError;
}

/** What a host, or a config that was read and resolved, knows. */
export function factsOf(known: {
  readonly resolution: Pick<Resolution, 'servers' | 'leftOut'>;
  readonly loaded: { readonly problems: readonly Problem[] };
}): ServerFacts {
  const { servers, leftOut } = known.resolution;
  return { servers, leftOut, problems: known.loaded.problems };
}

export function availabilityOf(id: string, facts: ServerFacts, connection?: Connection): Availability {
  const { servers, leftOut, problems } = facts;
  if (servers.has(id)) return connectionOf(connection);
  const absent = leftOut.find(one => one.id === id);
  if (absent) return { kind: 'left_out', leftOut: absent };
  const own = problems.filter(({ server }) => server === id);
  if (own.length > 0) return { kind: 'invalid', problems: own };
  return { kind: 'unknown', known: [...servers.keys()], leftOut: leftOut.map(one => one.id) };
}

function connectionOf(connection: Connection | undefined): Availability {
  if (connection?.lastError) return { kind: 'unreachable', error: connection.lastError };
  return { kind: connection?.kind === 'connecting' ? 'connecting' : 'usable' };
}

/** The sentence about it. Undefined where it can be used. */
export function whyUnavailable(id: string, availability: Availability): JunctorError | undefined {
  switch (availability.kind) {
    case 'usable':
      return undefined;
    case 'connecting':
      return stillConnecting(id);
    case 'unreachable':
      return availability.error;
    case 'left_out':
      return leftOutError(availability.leftOut);
    case 'invalid':
      return invalidServer(id, availability.problems);
    case 'unknown':
      return unknownServer(id, availability.known, availability.leftOut);
  }
}

/**
 * Every server that somebody should do something about, with its reason: those that could not be reached, wait for a
 * person, miss something, or are written wrongly. One that is switched off, or still connects, needs nothing.
 */
export function troubledServers(
  facts: ServerFacts,
  connectionOf: (id: string) => Connection | undefined = () => undefined,
): { readonly server: string; readonly error: JunctorError }[] {
  const { servers, leftOut, problems } = facts;
  const ids = [...servers.keys(), ...leftOut.map(({ id }) => id), ...problems.flatMap(({ server }) => server ?? [])];
  return [...new Set(ids)].flatMap(server => {
    const availability = availabilityOf(server, facts, servers.has(server) ? connectionOf(server) : undefined);
    const error = needsSomebody(availability) ? whyUnavailable(server, availability) : undefined;
    return error ? [{ server, error }] : [];
  });
}

/** In a few words, for lists of servers that have no tools at the moment. */
export function inBrief(error: JunctorError | 'connecting'): string {
  if (error === 'connecting') return 'still connecting';
  return error.code === 'auth_required' ? 'needs a login' : 'failed';
}

/** A missing variable, or a server that nobody approved, holds for every agent on every executor. */
export function holdsEverywhere({ kind, forRules }: LeftOut): boolean {
  return kind === 'broken' || (kind === 'waiting' && !forRules);
}

function needsSomebody(availability: Availability): boolean {
  if (availability.kind !== 'left_out') return availability.kind === 'unreachable' || availability.kind === 'invalid';
  const { kind, next } = availability.leftOut;
  return kind === 'waiting' || kind === 'broken' || next !== undefined;
}

export function stillConnecting(server: string): JunctorError {
  return new JunctorError('connection_failed', `Server '${server}' is ${inBrief('connecting')}.`, {
    server,
    hint: 'try again in a moment',
    unsent: true,
  });
}

export function invalidServer(server: string, problems: readonly Problem[]): JunctorError {
  const own = problems.filter(one => one.server === server);
  return new JunctorError('config_invalid', `Server '${server}' is written wrongly, and left out.`, {
    server,
    why: own.map(describeProblem).join('\n'),
    hint: 'mend what is named',
  });
}

/** A server that is defined, but not for this run. */
export function leftOutError({ id, because, kind, forRules, next }: LeftOut): JunctorError {
  if (forRules) {
    return new JunctorError(
      'trust_required',
      `Server '${id}' is not started: the place where it is to run waits for your approval.`,
      { server: id, why: because, hint: APPROVE_IN_PROGRAM, command: approveRules() },
    );
  }
  if (kind === 'waiting') {
    return new JunctorError('trust_required', `Server '${id}' came with this project and waits for your approval.`, {
      server: id,
      why: because,
      hint: APPROVE_IN_PROGRAM,
      command: `look at it with: junctor explain ${id}, then: junctor trust add ${id}`,
    });
  }
  return new JunctorError('server_unusable', `Server '${id}' cannot be used: ${because}.`, {
    server: id,
    ...(next ?? STEPS[kind](id)),
  });
}

/** What to do about rules of a project that nobody approved. */
export function approveRules(): string {
  return 'look at it with: junctor trust list, then: junctor trust add --rules';
}

/** What is left to do for a person who has read the reason: one step, as a command where there is one. */
export function fixFor({ id, kind, forRules, next }: LeftOut, executor: string): string {
  if (forRules) return 'junctor trust add --rules';
  if (kind === 'waiting') return `junctor trust add ${id}`;
  return (next && stepAtCommandLine(next)) ?? FIXES[kind](id, executor);
}

const FIXES: Readonly<Record<Exclude<LeftOut['kind'], 'waiting'>, (id: string, executor: string) => string>> = {
  off: id => `junctor mcp enable ${id}`,
  policy: (_id, executor) => `change the policy of executor '${executor}', or choose another executor`,
  broken: id => `junctor doctor ${id}`,
};

/** A program vouches for what it passes in; for what lies in a project only a person can. */
const APPROVE_IN_PROGRAM =
  'name its file with path, or pass it in config or overrides, where you vouch for it; or let a person approve it: junctor trust add';

const STEPS: Readonly<Record<Exclude<LeftOut['kind'], 'waiting'>, (id: string) => NextStep>> = {
  off: id => ({
    hint: `switch it on: overrides: { version: 1, servers: { '${id}': { enabled: true } } }; host.resolution.leftOut says why it is off`,
    command: `junctor mcp enable ${id}, or see where it is switched off: junctor explain ${id}`,
  }),
  policy: () => ({
    hint: 'choose another executor, or change its policy in the config',
    command: 'choose another executor, or change its policy in the config: junctor validate names mistakes in it',
  }),
  broken: id => ({
    hint: 'set what is missing (a variable, or a secret through the option secrets), or mend it',
    command: `set what is missing (a variable, or: junctor secret set NAME), or mend it: junctor explain ${id}`,
  }),
};
