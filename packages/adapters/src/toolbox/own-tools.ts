/** Tools of Junctor itself that a model needs beside those of servers. Their names are never given to another tool. */
import type { Host } from '@junctor/core';
import { type OtherListsTool, usefulWith } from '@junctor/core/inside';
import { type OwnTool, ownTool } from './own-tool.ts';
import { readResult } from './read-result.ts';

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
