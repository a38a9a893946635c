import type * as z from 'zod';
import { JunctorError } from '../base/error.ts';
import { nearest } from '../base/nearest.ts';
import type { ConfigDocument } from './document.ts';
import { describeProblem, formatPath, type Problem } from './problem.ts';
import { FileFrame, type McpConfig, type McpServerDef, SERVER_ID, ServerDef } from './schema.ts';

export interface ParsedConfig {
  readonly config: McpConfig;
  readonly problems: readonly Problem[];
}

/**
 * Judges one document. What is valid is returned, what is not is listed: a bad server costs that server only, a bad frame
 * costs the frame's own keys.
 */
export function parseDocument(document: ConfigDocument): ParsedConfig {
  const problems: Problem[] = [];
  const report = (path: readonly PropertyKey[], rest: Omit<Problem, 'file' | 'path'>): void => {
    problems.push({ file: document.file, ...document.locate(path), path: formatPath(path), ...rest });
  };
  const frame = FileFrame.safeParse(document.value);
  if (!frame.success) for (const issue of frame.error.issues) reportIssue(issue, [], document.value, report);
  const servers: Record<string, McpServerDef> = Object.create(null);
  for (const [id, written] of Object.entries(writtenServers(document.value))) {
    const path = ['servers', id];
    if (!SERVER_ID.test(id)) {
      report(path, { server: id, ...badId(id) });
      continue;
    }
    const judged = ServerDef.safeParse(written);
    if (judged.success) servers[id] = judged.data;
    else for (const issue of judged.error.issues) reportIssue(issue, path, document.value, report);
  }
  const { enabled = true, permissions = {} } = frame.success ? frame.data : {};
  return { config: { enabled, permissions, servers }, problems };
}

/** Checks a value a program holds. Throws with every problem at once; returns only what is wholly valid. */
export function parseMcpConfig(input: unknown): McpConfig {
  const { config, problems } = parseDocument({ file: '(value)', value: input, locate: () => ({ line: 1, column: 1 }) });
  if (problems.length === 0) return config;
  const unplaced = problems.map(({ line: _line, column: _column, ...problem }) => describeProblem(problem));
  throw new JunctorError('config_invalid', unplaced.join('\n'));
}

function writtenServers(value: unknown): Record<string, unknown> {
  const servers = isObject(value) ? value.servers : undefined;
  return isObject(servers) ? servers : {};
}

type Report = (path: readonly PropertyKey[], rest: Omit<Problem, 'file' | 'path'>) => void;

function reportIssue(issue: z.core.$ZodIssue, base: readonly PropertyKey[], root: unknown, report: Report): void {
  const path = [...base, ...issue.path];
  const server = path[0] === 'servers' && path.length > 1 ? { server: String(path[1]) } : {};
  const found = lookUp(root, path);
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) report([...path, key], { ...server, ...unknownKey(key, path) });
    return;
  }
  if (found === undefined && issue.code === 'invalid_type') {
    report(path, { ...server, ...missingKey(path, root, issue.expected) });
    return;
  }
  if (issue.code === 'invalid_union' && path.at(-1) === 'transport') {
    report(path, { ...server, ...unknownTransport(found, path) });
    return;
  }
  report(path, {
    ...server,
    message: `${sentence(issue.message)} Found ${shown(found)}.`,
    found: shown(found),
    ...('expected' in issue ? { expected: String(issue.expected) } : {}),
  });
}

function badId(id: string): Omit<Problem, 'file' | 'path'> {
  return {
    message: `'${id}' cannot be a server id.`,
    found: id,
    expected: '1 to 64 letters, digits, _ or -',
    fix: 'Rename it with 1 to 64 letters, digits, _ or -.',
  };
}

function missingKey(path: readonly PropertyKey[], root: unknown, expected: string): Omit<Problem, 'file' | 'path'> {
  const key = String(path.at(-1));
  if (path[0] === 'servers' && path.length === 3) {
    const id = String(path[1]);
    const transport = lookUp(root, ['servers', id, 'transport']);
    const what = typeof transport === 'string' ? `${transport} server` : 'server';
    return {
      message: `Missing '${key}' in ${what} '${id}'.`,
      expected,
      ...(FIX_FOR_MISSING[key] ? { fix: FIX_FOR_MISSING[key] } : {}),
    };
  }
  return { message: `Missing '${key}'.`, expected, fix: `Add '${key}'.` };
}

const FIX_FOR_MISSING: Readonly<Record<string, string>> = {
  command: 'Add the program to start, or set transport to "http".',
  url: 'Add the endpoint, or set transport to "stdio".',
};

function unknownTransport(found: unknown, path: readonly PropertyKey[]): Omit<Problem, 'file' | 'path'> {
  const id = String(path[1]);
  const message =
    found === undefined
      ? `Missing 'transport' in server '${id}'.`
      : `Unknown transport ${shown(found)} in server '${id}'.`;
  return { message, found: shown(found), expected: '"stdio" or "http"', fix: 'Set transport to "stdio" or "http".' };
}

function unknownKey(key: string, path: readonly PropertyKey[]): Omit<Problem, 'file' | 'path'> {
  const known = knownKeys(path);
  const near = nearest(key, known);
  return {
    message: `Unknown key '${key}'.`,
    found: key,
    expected: known.join(', '),
    fix: near ? `Did you mean '${near}'?` : 'Remove it, or check its spelling.',
  };
}

function knownKeys(path: readonly PropertyKey[]): string[] {
  if (path.length === 0) return Object.keys(FileFrame.shape);
  if (path[0] === 'servers') return [...new Set(ServerDef.options.flatMap(option => Object.keys(option.shape)))];
  return ['allow', 'ask', 'deny'];
}

function lookUp(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const step of path) value = isObject(value) || Array.isArray(value) ? (value as never)[step] : undefined;
  return value;
}

/** A value as a person wrote it, never longer than a line, never a secret in full. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 37)}…` : text;
}

function sentence(message: string): string {
  const text = message.replace(/, received \w+$/, '');
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
