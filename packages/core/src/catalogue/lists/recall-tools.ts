/** The tools of a server as an earlier connection listed them. What is written down is checked like what a server says. */

import type { ResolvedServer } from '../../resolve/roster.ts';
import type { ToolDefinition } from '../entry.ts';
import type { Listing } from './held-lists.ts';
import { TOOLS } from './list-kind.ts';
import { type Skipped, sift } from './lists.ts';
import type { Memory } from './memory.ts';

export function recallTools(memory: Memory, server: ResolvedServer): Listing<ToolDefinition> | undefined {
  const { catalogue } = memory.recall(server);
  if (!Array.isArray(catalogue?.tools) || typeof catalogue.at !== 'number') return undefined;
  const { items, skipped } = sift(TOOLS, catalogue.tools);
  const before = Array.isArray(catalogue.skipped) ? catalogue.skipped.filter(isSkipped) : [];
  return { items, skipped: [...before, ...skipped], at: catalogue.at };
}

function isSkipped(value: unknown): value is Skipped {
  const { name, because } = (value ?? {}) as Partial<Skipped>;
  return typeof name === 'string' && typeof because === 'string';
}
