/** Tools of Junctor itself that a model needs beside those of servers. Their names are never given to another tool. */
import type { Host, ToolRef } from '@junctor/core';
import { type OtherListsTool, type OwnDefinition, usefulWith } from '@junctor/core/inside';
import { type Answered, told } from './call-for-model.ts';
import type { RunOptions } from './options.ts';
import { readResult } from './read-result.ts';
import type { ModelTool } from './toolbox.ts';

type Arguments = Readonly<Record<string, unknown>>;

export interface OwnTool extends ModelTool {
  /** The pair that rules judge a call by, and its arguments. Absent: nothing is judged. */
  judged?(args: Arguments): { readonly ref: ToolRef; readonly args: unknown } | undefined;
  run(args: Arguments, options: RunOptions): Promise<Answered>;
}

/** A tool of ours that whatever goes wrong is told by. */
export function ownTool(
  host: Host,
  { name, description, inputSchema }: OwnDefinition,
  { run, judged }: Pick<OwnTool, 'run' | 'judged'>,
): OwnTool {
  return {
    name,
    description,
    inputSchema,
    strict: false,
    ...(judged ? { judged } : {}),
    async run(args, options) {
      try {
        return await run(args, options);
      } catch (error) {
        if (options.signal?.aborted) throw error;
        return told(host, error);
      }
    },
  };
}

interface Needs {
  readonly servers: readonly string[] | undefined;
  /** Whether there are tools of servers. */
  readonly any: boolean;
  readonly otherLists: boolean;
}

/** Those that are of use beside the tools of these servers: none where there is nothing to use. */
export function ownTools(host: Host, { servers, any, otherLists }: Needs): OwnTool[] {
  const others = otherLists ? usefulWith(host, servers).map(tool => forOtherLists(host, tool, servers)) : [];
  return any || others.length > 0 ? [readResult(host), ...others] : [];
}

function forOtherLists(host: Host, tool: OtherListsTool, servers: readonly string[] | undefined): OwnTool {
  return ownTool(host, tool, {
    judged(args) {
      const ref = tool.ref(args);
      const { server: _server, ...rest } = args;
      return ref && { ref, args: rest };
    },
    async run(args, options) {
      const result = await tool.run(host, args, { ...options, servers });
      const from = tool.ref(args);
      return { result, ...(from ? { from } : {}) };
    },
  });
}
