/** A server whose list is too long or too large: the hub goes on, for this server as far as it was read, and for all others. */
import { makeHome, misbehaving, promise, startHub, trusted } from '@junctor/testkit';
import { expect } from 'vitest';
import { RawClient } from './rpc.ts';

const item = (more: object = {}) => ({ name: 't', inputSchema: { type: 'object' }, ...more });
const MIB = 1024 * 1024;

const ROWS = [
  {
    what: '200 pages of 2 MiB',
    list: { items: [item()], pages: 200, bytes: 2 * MIB },
    tools: (count: number) => count > 10 && count < 20,
    reason: "tool '(the rest)' is left out: the list is larger than 32 MiB, or a page of it than 16",
  },
  {
    what: 'one page of 17 MiB',
    list: { items: [item({ description: 'x'.repeat(17 * MIB) })] },
    tools: (count: number) => count === 0,
    reason: "its tools could not be listed: Server 'large' answered tools/list with",
  },
  {
    what: '10,050 tools',
    list: { items: Array.from({ length: 10_050 }, (_, at) => item({ name: `t${at}` })) },
    tools: (count: number) => count === 10_000,
    reason: "tool '(the rest)' is left out: the list has more than 10000 tools",
  },
];

for (const { what, list, tools, reason } of ROWS) {
  promise(
    '2.9l',
    `a list of ${what} is bounded, the reason is logged, and other servers are listed and called`,
    async () => {
      await using home = await makeHome();
      // All of the first list would not fit.
      home.env.NODE_OPTIONS = '--max-old-space-size=256';
      const file = await home.write('large.json', { 'tools/list': list });
      await using hub = await startHub(home, {
        version: 1,
        search: { enabled: false },
        servers: {
          large: { ...trusted(misbehaving('chosen-lists', file)), mode: 'shared' },
          small: { ...trusted(misbehaving('chosen-lists')), mode: 'shared' },
        },
      });
      const client = await RawClient.open(hub, '/mcp/claude-code');
      await expect.poll(() => hub.stderr()).toContain(reason);
      const [answer] = await client.messages({ id: 1, method: 'tools/list' });
      const { tools: listed = [] } = (answer?.result ?? {}) as { tools?: { name: string }[] };
      expect(listed.filter(({ name }) => name.startsWith('large_')).length).toSatisfy(tools);
      expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(['small_echo']));
      const [called] = await client.call(2, 'small_echo', {});
      expect(called?.result).toEqual({ content: [{ type: 'text', text: 'echo' }] });
      expect(hub.process.exitCode).toBe(null);
    },
  );
}
