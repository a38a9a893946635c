/** The servers that other agents' files define, ready to be copied. */

import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describeProblem, type McpServerDef, readConfig, readText, SERVER_ID } from '@junctor/core/config-read';
import { DIALECTS, dialectNamed } from '@junctor/core/config-write';
import { type DialectName, isDialectName, JunctorError } from '@junctor/core/light';
import { type Context, dialectOf } from '../context.ts';

export interface FoundServer {
  readonly id: string;
  readonly file: string;
  readonly definition: McpServerDef;
}

export interface Imports {
  readonly found: readonly FoundServer[];
  /** What was not taken, each with the reason. */
  readonly skipped: readonly { readonly id: string; readonly from: string; readonly because: string }[];
  readonly problems: readonly string[];
}

export async function collectImports(
  context: Context,
  from: readonly string[],
  project: string | undefined,
): Promise<Imports> {
  const files = from.length === 0 ? everyUserFile(context) : from.flatMap(word => filesNamed(context, word));
  const found = new Map<string, FoundServer>();
  const problems: string[] = [];
  const skipped: { id: string; from: string; because: string }[] = [];
  for (const { file, dialect, required } of files) {
    const text = await readText(file, required);
    if (text === undefined || text.trim() === '') continue;
    const { home } = context.surroundings;
    const read = await readConfig(file, text, { dialect, home, project, idFor: asServerId });
    problems.push(...(read.ok ? read.reading.problems : read.problems).filter(isAboutServers).map(describeProblem));
    if (!read.ok) continue;
    for (const [id, definition] of Object.entries(read.reading.config.servers)) {
      // The first file that names a server wins: an agent's user file comes before its project file.
      const other = found.get(id);
      if (leadsBackHere(id, definition)) skipped.push({ id, from: file, because: 'it leads to Junctor itself' });
      else if (other !== undefined) skipped.push({ id, from: file, because: whySkipped(other, definition) });
      else found.set(id, { id, file, definition });
    }
  }
  return { found: [...found.values()], skipped, problems };
}

/** One server that several agents have is one server; two that only share their id are not. */
function whySkipped(other: FoundServer, definition: McpServerDef): string {
  const same = isDeepStrictEqual(other.definition, definition);
  return same ? `it is the same as in ${other.file}` : `another server of this id came from ${other.file}`;
}

/** An entry that `mcp export --via hub` wrote: as a server it would make the hub its own client. */
function leadsBackHere(id: string, definition: McpServerDef): boolean {
  if (definition.transport === 'stdio') return definition.args?.join(' ').includes('junctor connect') ?? false;
  return (
    id === 'junctor' &&
    /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?\/(mcp|sse|ws)\/[\w-]+$/.test(definition.url)
  );
}

interface ImportFile {
  readonly file: string;
  readonly dialect: DialectName | undefined;
  readonly required: boolean;
}

/** The person's own files. What came with a project is copied only when it is named: whoever wrote it is somebody else. */
function everyUserFile(context: Context): ImportFile[] {
  return DIALECTS.flatMap(({ name, files }) =>
    (files?.(context.surroundings) ?? [])
      .filter(({ scope }) => scope === 'user')
      .map(({ path }) => ({ file: path, dialect: name, required: false })),
  );
}

function filesNamed(context: Context, word: string): ImportFile[] {
  if (!isDialectName(word)) {
    return [{ file: resolve(context.surroundings.cwd, word), dialect: dialectOf(context), required: true }];
  }
  const files = dialectNamed(word).files?.(context.surroundings) ?? [];
  if (files.length === 0)
    throw new JunctorError('usage', `'${word}' has no file of its own to import from.`, { hint: 'name the file' });
  return files.map(({ path }) => ({ file: path, dialect: word, required: false }));
}

/** A file of another program may hold much that is none of our business. */
function isAboutServers(problem: { readonly server?: string; readonly path: string }): boolean {
  return problem.server !== undefined || problem.path === '';
}

function asServerId(name: string): string {
  if (SERVER_ID.test(name)) return name;
  return (
    name
      .replace(/[^a-zA-Z0-9_-]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 64) || 'server'
  );
}
