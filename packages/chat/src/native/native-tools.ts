/** The native tools as the AI SDK runs them, each call through the gate first. */
import type { Ask, Host, ToolResult } from '@junctor/core';
import { jsonSchema, type Tool, type ToolSet } from 'ai';
import { edit } from './edit.ts';
import { list } from './list.ts';
import { NativeGate } from './native-gate.ts';
import { NativeFailure, type NativeTool, nativeResult, type Workplace } from './native-tool.ts';
import { permitted } from './permitted.ts';
import { read } from './read.ts';
import { search } from './search.ts';
import { shell } from './shell.ts';
import { write } from './write.ts';

export const NATIVE_TOOLS: readonly NativeTool[] = [edit, list, read, search, shell, write];

export interface NativeOptions extends Workplace {
  readonly host: Host;
  readonly ask?: Ask | undefined;
  readonly session: string;
}

export function nativeTools(options: NativeOptions): ToolSet {
  const { host } = options;
  const gate = new NativeGate(host.loaded.frame.permissions ?? {}, NATIVE_TOOLS, host.links.ids);
  return Object.fromEntries(NATIVE_TOOLS.map(tool => [tool.name, aiTool(tool, gate, options)]));
}

function aiTool(tool: NativeTool, gate: NativeGate, options: NativeOptions): Tool {
  return {
    type: 'dynamic',
    description: tool.description,
    inputSchema: jsonSchema<unknown>(tool.inputSchema),
    execute: async (input, { abortSignal }) => {
      const signal = abortSignal ?? new AbortController().signal;
      const args = (typeof input === 'object' && input !== null ? input : {}) as Readonly<Record<string, unknown>>;
      const denial = await permitted(tool, args, await gate.judge(tool, args, options.cwd), { ...options, signal });
      return denial ?? (await outcome(tool, args, options, signal));
    },
    toModelOutput: ({ output }) => {
      const result = output as ToolResult;
      if (result.denied) return { type: 'execution-denied', reason: result.output };
      return { type: result.success ? 'text' : 'error-text', value: result.output };
    },
  };
}

/** What fails is told to the model; only what was given up is thrown. */
async function outcome(
  tool: NativeTool,
  args: Readonly<Record<string, unknown>>,
  place: Workplace,
  signal: AbortSignal,
): Promise<ToolResult> {
  try {
    return nativeResult(await tool.run(args, place, signal));
  } catch (error) {
    if (signal.aborted) throw error;
    if (!(error instanceof NativeFailure) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    return nativeResult((error as Error).message, false);
  }
}
