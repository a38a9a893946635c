/** `search --jsonl`: a line {"id","query","k"} in, a line {"id","ranked"} out, in the same order, until stdin ends. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { ToolIndex } from '@junctor/core/known';
import { toolId } from './catalogue-file.ts';
import { DEFAULT_LIMIT, isLimit } from './limit.ts';

export interface LineDoor {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

export async function answerLines(index: ToolIndex, { input, output, signal }: LineDoor): Promise<void> {
  const lines = createInterface({ input, signal, crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    signal.throwIfAborted();
    if (!output.write(`${JSON.stringify(answerLine(index, line))}\n`)) await once(output, 'drain', { signal });
  }
}

interface LineAnswer {
  /** As it was given; null where the line has none that could be read. */
  readonly id: unknown;
  readonly ranked: readonly string[];
  readonly error?: string;
}

/** A bad line gets its answer too: whoever counts lines is not put out of step. */
export function answerLine(index: ToolIndex, line: string): LineAnswer {
  let asked: { readonly id?: unknown; readonly query?: unknown; readonly k?: unknown } | null;
  try {
    asked = JSON.parse(line) as typeof asked;
  } catch (error) {
    return refused(null, `This line is not JSON: ${(error as Error).message}`);
  }
  if (typeof asked !== 'object' || asked === null || Array.isArray(asked)) {
    return refused(null, 'This line is no object. Write {"id":"1","query":"read a file","k":5}.');
  }
  const { id = null, query, k = DEFAULT_LIMIT } = asked;
  if (typeof query !== 'string') return refused(id, "This line has no text 'query'.");
  if (!isLimit(k)) return refused(id, "'k' must be a whole number from 1 on.");
  return { id, ranked: index.search(query, k).map(toolId) };
}

function refused(id: unknown, error: string): LineAnswer {
  return { id, ranked: [], error };
}
