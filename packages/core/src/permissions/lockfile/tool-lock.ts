/**
 * Holds what servers offer against what was approved in `junctor.lock`. A tool that is new or changed since is neither
 * offered nor called until somebody approves it. Servers without a lockfile are not concerned. Pure.
 */
import { sameJson } from '../../base/json/same-json.ts';
import type { ToolDefinition } from '../../catalogue/entry.ts';
import type { LockedServer } from './lockfile.ts';
import { termsOf, toolFingerprint } from './tool-terms.ts';

/** What a lockfile says about one server. */
export interface ServerLock {
  readonly file: string;
  /** Undefined: the file does not name the server. */
  readonly locked: LockedServer | undefined;
  /** The fingerprint of the server as it is defined now. */
  readonly fingerprint: string;
}

export interface HiddenTool {
  readonly name: string;
  readonly because: string;
  /** What has to be approved: the tool, as `server/tool`, or its server. */
  readonly approve: string;
}

export interface SiftedTools {
  readonly tools: readonly ToolDefinition[];
  readonly hidden: readonly HiddenTool[];
}

const NOTHING_HIDDEN: readonly HiddenTool[] = [];

export class ToolLock {
  readonly #servers: ReadonlyMap<string, ServerLock>;
  /** Lists are never changed in place, so each is looked through once. */
  readonly #sifted = new WeakMap<readonly ToolDefinition[], SiftedTools>();

  constructor(servers: ReadonlyMap<string, ServerLock>) {
    this.#servers = servers;
  }

  /** No server is concerned. */
  get isEmpty(): boolean {
    return this.#servers.size === 0;
  }

  /** The lockfile that decides about this server, where there is one. */
  fileOf(server: string): string | undefined {
    return this.#servers.get(server)?.file;
  }

  sift(server: string, tools: readonly ToolDefinition[]): SiftedTools {
    const lock = this.#servers.get(server);
    if (!lock) return { tools, hidden: NOTHING_HIDDEN };
    let sifted = this.#sifted.get(tools);
    if (!sifted) {
      sifted = siftBy(server, lock, tools);
      this.#sifted.set(tools, sifted);
    }
    return sifted;
  }

  /** Whether another lock says the same about this server. */
  sameFor(server: string, other: ToolLock): boolean {
    return sameLock(this.#servers.get(server), other.#servers.get(server));
  }
}

/** Nothing is locked. */
export const NO_LOCK: ToolLock = new ToolLock(new Map());

function siftBy(server: string, lock: ServerLock, tools: readonly ToolDefinition[]): SiftedTools {
  const whole = lock.locked?.fingerprint !== lock.fingerprint;
  const judged = tools.map(tool => ({ tool, because: whyHidden(lock, tool) }));
  return {
    tools: judged.flatMap(({ tool, because }) => (because === undefined ? [tool] : [])),
    hidden: judged.flatMap(({ tool: { name }, because }) =>
      because === undefined ? [] : [{ name, because, approve: whole ? server : `${server}/${name}` }],
    ),
  };
}

function whyHidden({ locked, fingerprint }: ServerLock, tool: ToolDefinition): string | undefined {
  if (!locked) return 'its server is not in the lockfile';
  if (locked.fingerprint !== fingerprint) return 'its server is defined otherwise than in the lockfile';
  const known = locked.tools.get(tool.name);
  if (!known) return 'it is new: the lockfile does not have it';
  return isSame(known, tool) ? undefined : 'it changed since it was locked';
}

/** Both must fit: the fingerprint is what was approved, the words are what a reader of the file believes was. */
function isSame(known: { fingerprint: string; definition: object }, tool: ToolDefinition): boolean {
  try {
    return known.fingerprint === toolFingerprint(tool) && sameJson(known.definition, termsOf(tool));
  } catch {
    return false; // nested so deeply that it cannot be compared
  }
}

function sameLock(a: ServerLock | undefined, b: ServerLock | undefined): boolean {
  if (!a || !b) return a === b;
  if (a.file !== b.file || a.fingerprint !== b.fingerprint || a.locked?.fingerprint !== b.locked?.fingerprint)
    return false;
  const [before, after] = [a.locked?.tools ?? new Map(), b.locked?.tools ?? new Map()];
  return before.size === after.size && [...before].every(([name, tool]) => sameJson(tool, after.get(name)));
}
