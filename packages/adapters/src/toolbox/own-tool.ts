/** A tool of Junctor itself, as a model is told of it and as it runs. */
import type { Host, ToolRef } from '@junctor/core';
import type { OwnDefinition } from '@junctor/core/inside';
import { type Answered, told } from './call-for-model.ts';
import type { ModelTool } from './model-tool.ts';
import type { RunOptions } from './options.ts';

type Arguments = Readonly<Record<string, unknown>>;

export interface OwnTool extends ModelTool {
  /** The pair that rules judge a call by, and its arguments. Absent: nothing is judged. */
  judged?(args: Arguments): { readonly ref: ToolRef; readonly args: unknown } | undefined;
  run(args: Arguments, options: RunOptions): Promise<Answered>;
}

/** Whatever goes wrong in it is told by it. */
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
