/** What a person should know about lists of tools beside the answer. */
import type { McpConfigLoadResult, SkippedTool } from '@junctor/core';
import { idlePatterns } from '@junctor/core/known';
import type { Context } from '../context.ts';
import { oneLine } from './table.ts';

/** Tools that servers listed and nobody can use. */
export function tellSkipped(context: Context, skipped: readonly SkippedTool[]): void {
  for (const [server, tools] of Map.groupBy(skipped, one => one.server))
    context.talk(listedText(`of MCP server '${server}' cannot be used`, tools));
}

/** Tools that a lockfile hides. */
export function tellHidden(context: Context, hidden: readonly SkippedTool[]): void {
  for (const [server, tools] of Map.groupBy(hidden, one => one.server)) {
    const are = tools.length === 1 ? 'is' : 'are';
    context.talk(listedText(`of MCP server '${server}' ${are} hidden by junctor.lock`, tools));
  }
  if (hidden.length > 0) context.talk('  try: junctor lock diff');
}

/** Names in allow lists that no tool has. `listed`: the tools of each server that answered, as the config lets them through. */
export function tellIdlePatterns(
  context: Context,
  { servers, frame }: Pick<McpConfigLoadResult, 'servers' | 'frame'>,
  listed: ReadonlyMap<string, readonly string[]>,
): void {
  for (const [id, names] of listed) {
    const server = servers.get(id);
    if (!server) continue;
    for (const pattern of idlePatterns(id, server.definition, frame.bundles, names)) {
      const shown = oneLine(pattern, NAME_WIDTH);
      context.talk(
        `warning: '${shown}' in the list of tools that server '${id}' may offer fits none of its tools (${server.source})`,
      );
    }
  }
}

const SKIPPED_SHOWN = 5;
const NAME_WIDTH = 40;

function listedText(what: string, skipped: readonly SkippedTool[]): string {
  const reasons = skipped
    .slice(0, SKIPPED_SHOWN)
    .map(({ name, because }) => `\n  ${oneLine(name, NAME_WIDTH)}: ${because}`);
  const more = skipped.length > SKIPPED_SHOWN ? [`\n  and ${skipped.length - SKIPPED_SHOWN} more`] : [];
  const count = skipped.length === 1 ? '1 tool' : `${skipped.length} tools`;
  return [`warning: ${count} ${what}:`, ...reasons, ...more].join('');
}
