/** Junctor inside a host: the built package, with names and permissions as they are for everybody. */
import type { McpConfigInput, McpServerInput } from '@junctor/core';
import { isHttp, type Library, type Upstream } from './contestant.ts';

export const junctorLibrary: Library = {
  name: 'junctor',
  async connect(upstreams) {
    const { createHost } = await import('@junctor/core');
    const host = await createHost({ config: junctorConfig(upstreams) });
    const prefix = `mcp__${upstreams[0]?.name}__`;
    return {
      list: () => host.tools(),
      call: async (tool, args) => (await host.call(prefix + tool, args, { whole: true })).output,
      close: () => host.close(),
    };
  },
};

/** Also what the hub and the command line read from a file. Trusted, because nobody sits here to be asked. */
export function junctorConfig(upstreams: readonly Upstream[], mode: 'auto' | 'shared' = 'auto'): McpConfigInput {
  const servers = Object.fromEntries(upstreams.map(upstream => [upstream.name, { ...definitionOf(upstream), mode }]));
  return { version: 1, servers };
}

function definitionOf(upstream: Upstream): McpServerInput {
  if (isHttp(upstream)) return { transport: 'http', url: upstream.url, trust: 'trusted' };
  return { transport: 'stdio', command: upstream.command, args: upstream.args, trust: 'trusted' };
}
