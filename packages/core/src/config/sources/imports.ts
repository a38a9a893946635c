/** The servers that other agents' files define, ready to be copied. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { JunctorError } from '../../base/error.ts';
import { isConnectCommand } from '../agent-files/hub-entry.ts';
import { agentHint } from '../agent-hint.ts';
import { type DialectName, isDialectName } from '../dialects/dialect.ts';
import { DIALECTS, dialectNamed } from '../dialects/registry.ts';
import { readText } from '../load.ts';
import { describeProblem } from '../problem.ts';
import { readConfig } from '../reading/read.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import { asServerId } from '../schema/server-words.ts';
import type { Surroundings } from './places.ts';

export interface FoundServer {
  readonly id: string;
  readonly file: string;
  readonly definition: McpServerDef;
  /** What the file calls it, where that cannot be an id of ours. */
  readonly name?: string;
}

export interface ImportOptions {
  readonly surroundings: Surroundings;
  /** Agents or files; none: the user files of every agent. */
  readonly from?: readonly string[];
  /** Of files that are named. */
  readonly dialect?: DialectName | undefined;
  /** What a file says of one folder only is taken for this one. */
  readonly project?: string | undefined;
}

export interface Skipped {
  readonly id: string;
  readonly from: string;
  readonly because: string;
  /** It is what was taken from another file already. */
  readonly same?: true;
}

export interface Imports {
  readonly found: readonly FoundServer[];
  /** What was not taken, each with the reason. */
  readonly skipped: readonly Skipped[];
  readonly problems: readonly string[];
}

export async function collectImports(options: ImportOptions): Promise<Imports> {
  const { surroundings, from = [], project } = options;
  const files = from.length === 0 ? everyUserFile(surroundings) : from.flatMap(word => filesNamed(options, word));
  const found = new Map<string, FoundServer>();
  const problems: string[] = [];
  const skipped: Skipped[] = [];
  for (const place of files) {
    const { file, dialect, required } = place;
    const text = await readText(file, required);
    if (text === undefined || text.trim() === '') continue;
    const read = await readConfig(file, text, { dialect, home: surroundings.home, project, idFor: asServerId });
    problems.push(...(read.ok ? read.reading.problems : read.problems).filter(isAboutServers).map(describeProblem));
    if (!read.ok) continue;
    if (project === undefined) skipped.push(...(await ofThisFolder(place, text, options, read.reading.config.servers)));
    const { config, renamed } = read.reading;
    for (const [id, definition] of Object.entries(config.servers)) {
      // The first file that names a server wins: an agent's user file comes before its project file.
      const other = found.get(id);
      if (leadsBackHere(id, definition)) skipped.push({ id, from: file, because: 'it leads to Junctor itself' });
      else if (other !== undefined) skipped.push(skippedFor(other, { id, file, definition }));
      else found.set(id, { id, file, definition, ...namedOtherwise(renamed?.get(id)) });
    }
  }
  return { found: [...found.values()], skipped, problems };
}

/** Servers that the file has for this folder alone: copied for everywhere they would be in all others, too. */
async function ofThisFolder(
  { file, dialect }: ImportFile,
  text: string,
  { surroundings: { cwd, home } }: ImportOptions,
  everywhere: Readonly<Record<string, McpServerDef>>,
): Promise<Skipped[]> {
  // Such a file can be large, and most say nothing of this folder.
  if (!text.includes(JSON.stringify(cwd))) return [];
  const read = await readConfig(file, text, { dialect, home, project: cwd, idFor: asServerId });
  const ids = read.ok ? Object.keys(read.reading.config.servers) : [];
  const because = `it is there for ${cwd} alone: --scope local copies it for this folder`;
  return ids.filter(id => !Object.hasOwn(everywhere, id)).map(id => ({ id, from: file, because }));
}

function namedOtherwise(name: string | undefined): { name?: string } {
  return name === undefined ? {} : { name };
}

/** One server that several agents have is one server; two that only share their id are not. */
function skippedFor(other: FoundServer, { id, file: from, definition }: FoundServer): Skipped {
  if (isDeepStrictEqual(withoutEmpty(other.definition), withoutEmpty(definition)))
    return { id, from, because: `it is the same as in ${other.file}`, same: true };
  return { id, from, because: `another server of this id came from ${other.file}` };
}

/** Claude Code writes an empty `env`, others none: that is the same. */
function withoutEmpty(definition: McpServerDef): object {
  const said = Object.entries(definition).filter(([, value]) => !isDeepStrictEqual(value, {}));
  return Object.fromEntries(said.filter(([, value]) => !isDeepStrictEqual(value, [])));
}

/** An entry that `mcp export --via hub` wrote: as a server it would make the hub its own client. */
function leadsBackHere(id: string, definition: McpServerDef): boolean {
  if (definition.transport === 'stdio') return isConnectCommand(definition);
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
function everyUserFile(surroundings: Surroundings): ImportFile[] {
  return DIALECTS.flatMap(({ name, files }) =>
    (files?.(surroundings) ?? [])
      .filter(({ scope }) => scope === 'user')
      .map(({ path }) => ({ file: path, dialect: name, required: false })),
  );
}

function filesNamed({ surroundings, dialect }: ImportOptions, word: string): ImportFile[] {
  if (!isDialectName(word)) {
    if (/^[\w-]+$/.test(word) && !existsSync(resolve(surroundings.cwd, word))) throw neitherAgentNorFile(word);
    return [{ file: resolve(surroundings.cwd, word), dialect, required: true }];
  }
  const files = dialectNamed(word).files?.(surroundings) ?? [];
  if (files.length === 0)
    throw new JunctorError('usage', `'${word}' has no file of its own to import from.`, { hint: 'name the file' });
  return files.map(({ path }) => ({ file: path, dialect: word, required: false }));
}

function neitherAgentNorFile(word: string): JunctorError {
  const agents = DIALECTS.filter(({ files }) => files !== undefined).map(({ name }) => name);
  return new JunctorError('usage', `There is no agent '${word}', and no file of this name.`, {
    hint: agentHint(word, agents),
  });
}

/** A file of another program may hold much that is none of our business. */
function isAboutServers(problem: { readonly server?: string; readonly path: string }): boolean {
  return problem.server !== undefined || problem.path === '';
}
