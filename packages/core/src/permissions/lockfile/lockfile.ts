/**
 * The text of `junctor.lock`: every server and tool that somebody approved, with a fingerprint of each and with the words
 * themselves, so that a difference can be shown. The same state is the same bytes: keys are sorted, lines end in LF.
 */
import * as z from 'zod/mini';
import { jsonFormat } from '../../config/formats/json/json.ts';
import { refuseDuplicates } from '../../config/formats/problems.ts';
import { formatPath, type Problem } from '../../config/problem.ts';
import type { ToolTerms } from './tool-terms.ts';

export interface LockFile {
  readonly servers: ReadonlyMap<string, LockedServer>;
}

export interface LockedServer {
  readonly fingerprint: string;
  /** As it is written, references unexpanded and literal secrets masked. */
  readonly definition: Readonly<Record<string, unknown>>;
  readonly tools: ReadonlyMap<string, LockedTool>;
}

export interface LockedTool {
  readonly fingerprint: string;
  readonly definition: ToolTerms;
}

export type ParsedLock =
  | { readonly ok: true; readonly lock: LockFile }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const fingerprint = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'a SHA-256 fingerprint is expected'));
const words = z.record(z.string(), z.unknown());

const Shape = z.strictObject({
  version: z.literal(1, 'version 1 is expected: it may have been written by a newer Junctor'),
  servers: z.record(
    z.string(),
    z.strictObject({
      fingerprint,
      definition: words,
      tools: z.record(z.string(), z.strictObject({ fingerprint, definition: words })),
    }),
  ),
});

/** A lockfile that cannot be read whole is not read at all: half of it could let through what the other half forbids. */
export function parseLock(file: string, text: string): ParsedLock {
  const read = refuseDuplicates(jsonFormat.read(file, text));
  if (!read.ok) return { ok: false, problems: read.problems.map(problem => ({ ...problem, fix: LOCK_FIX })) };
  const { value, locate } = read.document;
  const judged = Shape.safeParse(value);
  if (!judged.success) {
    const problems = judged.error.issues.map(({ path, message }) => ({
      file,
      ...locate(path),
      path: formatPath(path),
      message: `The lockfile is not as Junctor writes it: ${inWords(message)}.`,
      fix: LOCK_FIX,
    }));
    return { ok: false, problems };
  }
  const servers = Object.entries(judged.data.servers).map(
    ([id, { tools, ...server }]) => [id, { ...server, tools: new Map(Object.entries(tools)) }] as const,
  );
  return { ok: true, lock: { servers: new Map(servers) } };
}

/** Never only to remove it: without it nothing is hidden. */
const LOCK_FIX = 'Take it from version control again, or remove it and write a new one: junctor lock.';

function inWords(message: string): string {
  return message.endsWith(', received undefined')
    ? 'it is missing'
    : message.replace(/, received (\w+)$/, ', found $1');
}

export function formatLock({ servers }: LockFile): string {
  const plain = [...servers].map(([id, { tools, ...server }]) => [id, { ...server, tools: Object.fromEntries(tools) }]);
  return `${JSON.stringify(sorted({ version: 1, servers: Object.fromEntries(plain) }), null, 2)}\n`;
}

/** By code units, as no locale could change it. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
