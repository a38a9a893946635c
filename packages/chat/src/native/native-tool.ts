/** A tool of the agent itself: it works in the folder the person is in, without any server. */
import type { ToolResult } from '@junctor/core';
import type { FileChanges } from './change-file.ts';

export interface NativeTool {
  readonly name: NativeName;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Whether it only looks. What only looks inside the folder is not asked about. */
  readonly readOnly: boolean;
  run(args: Readonly<Record<string, unknown>>, place: Workplace, signal: AbortSignal): Promise<string>;
}

export type NativeName = 'read' | 'write' | 'edit' | 'list' | 'search' | 'shell';

/** Where native tools work. */
export interface Workplace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Changes of files go through here. */
  readonly files: FileChanges;
}

/** What went wrong, for the model to read. */
export class NativeFailure extends Error {
  override readonly name = 'NativeFailure';
}

export function nativeResult(output: string, success = true): ToolResult {
  const parts = [{ type: 'text', text: output }];
  return success ? { success, output, parts } : { success, output, error: output, parts };
}

/** A text argument that has to be there. */
export function textArgument(args: Readonly<Record<string, unknown>>, name: string): string {
  const value = args[name];
  if (typeof value === 'string') return value;
  throw new NativeFailure(`The argument '${name}' must be a text.`);
}

export function numberArgument(args: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const value = args[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new NativeFailure(`The argument '${name}' must be a number.`);
}

/** What a tool answers at most, in characters, where it has no reason for more. */
export const MOST_CHARS = 30_000;

/** The cut says how to get the rest. */
export function cut(text: string, most: number, how: string): string {
  return text.length <= most ? text : `${text.slice(0, most)}\n[cut: ${text.length - most} more characters. ${how}]`;
}
