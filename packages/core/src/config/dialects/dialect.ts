/** What a dialect is: another program's way of writing servers down, read into ours and, where sensible, written back. */

import type { Edit, FormatName, Path } from '../formats/document.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import type { Surroundings } from '../sources/places.ts';

/** Agents we know by name: each has a dialect here and a door at the hub. */
export const AGENT_NAMES = [
  'claude-code',
  'claude-desktop',
  'cline',
  'codex',
  'continue',
  'copilot',
  'cursor',
  'droid',
  'gemini',
  'goose',
  'grok',
  'kilo',
  'kimi',
  'opencode',
  'qwen-code',
  'vscode',
  'windsurf',
  'zed',
] as const;

/** Our own format, those of five design documents, and those of the agents. */
export const DIALECT_NAMES = [
  'junctor',
  'codelia',
  'toolloop',
  'code-agent',
  'kandev',
  'cocode',
  ...AGENT_NAMES,
] as const;

export type DialectName = (typeof DIALECT_NAMES)[number];

export function isDialectName(name: string): name is DialectName {
  return (DIALECT_NAMES as readonly string[]).includes(name);
}

export interface Dialect {
  readonly name: DialectName;
  /** As people call the program: `Claude Code`. */
  readonly title: string;
  /** What a file of this dialect is written in. */
  readonly format: FormatName;
  /** Whether a file of this name and content is one of this dialect's. Pure: by shape and place. */
  recognise(file: string, value: unknown): boolean;
  read(value: unknown, context: ReadContext): DialectReading;
  /** Absent where we only read. */
  write?(value: unknown, changes: readonly ServerChange[]): DialectWriting;
  /** Where the program keeps its files, the one it writes itself first. Absent for the formats of documents. */
  files?(from: Surroundings): readonly AgentFile[];
}

export interface ReadContext {
  readonly file: string;
  readonly home: string;
  /** The folder it is read for, where a file speaks of several. */
  readonly project?: string | undefined;
}

/** A file in canonical terms, not yet validated: what is wrong in it is found by the one schema. */
export interface DialectReading {
  /** File-level keys other than servers, in canonical spelling. */
  readonly frame: Readonly<Record<string, unknown>>;
  /** Where a key of the frame, such as `defaults.debug`, stands in the file when it is called something else there. */
  readonly frameAt?: Readonly<Record<string, Path>>;
  readonly servers: readonly ReadServer[];
  /** The one agent that the file is for. */
  readonly agent?: string;
  /** What only this dialect can judge, such as a key it forbids. */
  readonly problems: readonly DialectProblem[];
}

export interface ReadServer {
  readonly id: string;
  readonly definition: Readonly<Record<string, unknown>>;
  /** Where the entry stands in the file. */
  readonly path: Path;
  /** Where a canonical key stands in the file when it is called something else there. */
  readonly at: Readonly<Record<string, Path>>;
}

export interface DialectProblem {
  readonly path: Path;
  readonly message: string;
  readonly fix?: string;
  readonly expected?: string;
  /** The server that cannot be used because of it. */
  readonly server?: string;
}

export interface ServerChange {
  readonly id: string;
  /** Undefined takes the server out. */
  readonly definition: McpServerDef | undefined;
}

export interface DialectWriting {
  readonly edits: readonly Edit[];
  /** Servers that could not be written, each with the reason. */
  readonly leftOut: readonly { readonly id: string; readonly because: string }[];
}

export interface AgentFile {
  readonly scope: 'user' | 'project' | 'local';
  readonly path: string;
}
