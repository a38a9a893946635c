/** What the schema found wrong, in words that name the server, say what was found and expected, and how to mend it. */
import type * as z from 'zod/mini';
import { nearest } from '../../base/text/nearest.ts';
import type { Path } from '../formats/document.ts';
import type { FoundProblem } from '../problem.ts';
import { Agent, Bundle, ExecutorPolicy, FileFrame, Permissions, Search } from '../schema/schema.ts';
import { RemoteServer, StdioServer } from '../schema/server-schema.ts';
import { TRANSPORTS } from '../schema/server-words.ts';
import { SITE_KINDS, SITES } from '../schema/site-schema.ts';
import { consequenceOfKey, consequenceOfValue } from './consequence.ts';
import { fixForType } from './fix-for-type.ts';
import { issueSentence } from './issue-sentence.ts';
import { shown } from './shown-value.ts';

/** The server that is judged, and what its file calls the canonical keys. */
export interface JudgedServer {
  readonly id: string;
  readonly at: Readonly<Record<string, Path>>;
}

/** One issue of the schema as problems, each with its path inside what was judged. */
export function explainIssue(
  issue: z.core.$ZodIssue,
  root: unknown,
  server?: JudgedServer,
): (FoundProblem & { readonly path: Path })[] {
  const path = issue.path as (string | number)[];
  const found = lookUp(root, path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key => ({ path: [...path, key], ...unknownKey(key, path, root, server) }));
  }
  if (server === undefined && path.length === 1 && path[0] === 'enabled')
    return [{ path, ...noSwitch(found, 'No server is connected') }];
  if (server !== undefined && path.length === 1 && path[0] === 'transport') {
    return [{ path, ...unknownTransport(found, server) }];
  }
  if (found === undefined && issue.code === 'invalid_type') {
    return [{ path, ...missingKey(path, root, issue.expected, server) }];
  }
  const message = `${issueSentence(issue)} Found ${shown(found, path)}.${consequenceOfValue(path, found)}`;
  const fix = fixForType(issue, found);
  const expected = 'expected' in issue ? { expected: String(issue.expected) } : {};
  return [{ path, message, found: shown(found, path), ...expected, ...(fix === undefined ? {} : { fix }) }];
}

export function badId(id: string): FoundProblem {
  return {
    server: id,
    message: `'${id}' cannot be a server id.`,
    found: id,
    expected: '1 to 64 letters, digits, _ or -',
    fix: 'Rename it with 1 to 64 letters, digits, _ or -.',
  };
}

export function notAnObject(id: string, found: unknown): FoundProblem {
  return {
    server: id,
    message: `Server '${id}' is not an object. Found ${shown(found, [])}.`,
    found: shown(found, []),
    expected: 'an object',
    fix: 'Write { … } with its transport and how to reach it.',
  };
}

export function oauthOnStdio(id: string): FoundProblem {
  return {
    message: `'oauth' does not go with stdio server '${id}': a program gets its credentials through env.`,
    found: 'oauth',
    fix: 'Remove oauth, and put the credential into env.',
  };
}

function missingKey(path: Path, root: unknown, expected: string, server?: JudgedServer): FoundProblem {
  const key = String(path.at(-1));
  const word = wordFor(key, server);
  if (server === undefined || path.length !== 1)
    return { message: `Missing '${key}'.`, expected, fix: `Add '${key}'.` };
  const { transport } = root as { transport?: unknown };
  const what = typeof transport === 'string' ? `${transport} server` : 'server';
  const fix = FIX_FOR_MISSING[key]?.(wordFor('transport', server));
  return { message: `Missing '${word}' in ${what} '${server.id}'.`, expected, ...(fix ? { fix } : {}) };
}

const FIX_FOR_MISSING: Readonly<Record<string, (transport: string) => string>> = {
  command: transport => `Add the program to start, or set ${transport} to "http".`,
  url: transport => `Add the endpoint, or set ${transport} to "stdio".`,
};

function unknownTransport(found: unknown, server: JudgedServer): FoundProblem {
  const word = wordFor('transport', server);
  const words = TRANSPORTS.map(word => `"${word}"`).join(', ');
  const message =
    found === undefined
      ? `Missing '${word}' in server '${server.id}'.`
      : `Unknown transport ${shown(found, ['transport'])} in server '${server.id}'.`;
  return {
    message,
    found: shown(found, ['transport']),
    expected: `one of ${words}`,
    fix: `Set ${word} to one of ${words}.`,
  };
}

/** What the file calls a canonical key. */
function wordFor(key: string, server: JudgedServer | undefined): string {
  return String(server?.at[key]?.at(-1) ?? key);
}

function unknownKey(key: string, path: Path, root: unknown, server?: JudgedServer): FoundProblem {
  const misplaced = server !== undefined && path.length === 0 ? keyOfOtherKind(key, root, server) : undefined;
  if (misplaced) return misplaced;
  const known = knownKeys(path, root, server);
  const near = nearest(key, known);
  return {
    message: `Unknown key '${key}'.${server === undefined ? consequenceOfKey(key, path, root) : ''}`,
    found: key,
    expected: known.join(', '),
    fix: near ? `Did you mean '${near}'?` : 'Remove it, or check its spelling.',
  };
}

/** A key that only the other kind of server has: a program has no address, and no headers are sent to it. */
function keyOfOtherKind(key: string, root: unknown, server: JudgedServer): FoundProblem | undefined {
  const { transport } = root as { transport?: unknown };
  if (transport !== 'stdio' || !Object.hasOwn(RemoteServer.shape, key)) return undefined;
  const word = wordFor(key, server);
  const why = key === 'headers' ? 'a program gets its credentials through env' : 'only a server at an address has it';
  return {
    message: `'${word}' does not go with stdio server '${server.id}': ${why}.`,
    found: word,
    fix: `Remove it, or set ${wordFor('transport', server)} to "http".`,
  };
}

/** A switch of the whole file, or of one server; `consequence` is what it means until it is mended. */
export function noSwitch(found: unknown, consequence: string): FoundProblem {
  return {
    message: `'enabled' is neither true nor false. Found ${shown(found, [])}. ${consequence} until it is mended.`,
    found: shown(found, []),
    expected: 'boolean',
    fix: 'Write true or false, without quotes.',
  };
}

function knownKeys(path: Path, root: unknown, server?: JudgedServer): string[] {
  if (server !== undefined) {
    const { transport } = root as { transport?: unknown };
    const shape = transport === 'stdio' ? StdioServer.shape : RemoteServer.shape;
    return path.length === 0 ? Object.keys(shape).map(key => wordFor(key, server)) : [];
  }
  const [section] = path;
  const site = SITE_KINDS.find(kind => kind === path.at(-1));
  if (site !== undefined) return Object.keys(SITES[site].shape);
  if (section === undefined) return Object.keys(FileFrame.shape);
  if (section === 'permissions') return Object.keys(Permissions.shape);
  if (section === 'bundles') return Object.keys(Bundle.shape);
  if (section === 'executors') return Object.keys(ExecutorPolicy.shape);
  if (section === 'agents' && path[2] === 'permissions') return Object.keys(Permissions.shape);
  if (section === 'search' || (section === 'agents' && path[2] === 'search')) return Object.keys(Search.shape);
  if (section === 'agents') return Object.keys(path.length > 2 ? ExecutorPolicy.shape : Agent.shape);
  return [];
}

function lookUp(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const step of path) value = typeof value === 'object' && value !== null ? (value as never)[step] : undefined;
  return value;
}
