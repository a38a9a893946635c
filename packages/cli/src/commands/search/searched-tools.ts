/** The tools of the configured servers as a search sees them, and which servers it cannot see. */
import type { Entry, ServerFailure } from '@junctor/core';
import type { SearchableTool } from '@junctor/core/known';
import { JunctorError } from '@junctor/core/light';
import type { Context } from '../../context.ts';
import { offeredTools } from '../../offered-tools.ts';

export interface Absent {
  readonly failures: readonly ServerFailure[];
  /** Have not answered yet. */
  readonly connecting: readonly string[];
}

export interface SearchedTools {
  /** Each with the public name it goes by. */
  readonly tools: readonly (SearchableTool & { readonly name: string })[];
  readonly absent: Absent;
}

/** Somebody waits at the terminal: a server that takes longer is named, and found the next time. */
const DEFAULT_WAIT_SECONDS = '10';

export async function searchedTools(
  context: Context,
  options: { readonly fresh: boolean; readonly waitSeconds: string | undefined },
): Promise<SearchedTools> {
  const patienceMs = millisecondsFrom(options.waitSeconds ?? DEFAULT_WAIT_SECONDS);
  const { snapshot, failures, connecting } = await offeredTools(context, { fresh: options.fresh, patienceMs });
  return { tools: snapshot.entries.map(searchable), absent: { failures, connecting } };
}

function searchable({ name, server, tool, definition }: Entry): SearchableTool & { readonly name: string } {
  const { title, description, inputSchema } = definition;
  return {
    name,
    server,
    tool,
    inputSchema,
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  };
}

function millisecondsFrom(seconds: string): number {
  const number = seconds.trim() === '' ? Number.NaN : Number(seconds);
  if (Number.isFinite(number) && number >= 0) return Math.min(number * 1000, MAX_TIMER_MS);
  throw new JunctorError('usage', `--wait cannot be '${seconds}'.`, { hint: 'a number of seconds' });
}

/** A timer takes no more. */
const MAX_TIMER_MS = 2 ** 31 - 1;
