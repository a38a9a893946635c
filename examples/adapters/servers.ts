import type { McpConfigInput } from '@junctor/core';

/** The servers of these examples. Trusted: their tools run without asking. */
export const config: McpConfigInput = {
  version: 1,
  servers: {
    demo: { transport: 'stdio', command: 'npx', args: ['junctor', 'test-server', '--stdio'], trust: 'trusted' },
  },
};
