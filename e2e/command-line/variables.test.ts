import { join } from 'node:path';
import { junctor, makeHome, promise, startHub, testServer, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { RawClient } from '../hub/rpc.ts';

const MANY_COMMANDS_MS = 120_000;

describe('JUNCTOR_MCP_DEBUG and MCP_TOOL_TIMEOUT', () => {
  promise(
    '8.32c',
    'are read by every command that talks to servers',
    async () => {
      await using home = await makeHome();
      const config = { version: 1, servers: { demo: trusted(testServer()) } };
      await home.write('project/junctor.json', config);
      await junctor(home, ['trust', 'add', 'demo']);
      const commands = [
        ...[
          ['test', 'demo'],
          ['tools', '--fresh'],
          ['call', 'demo', 'echo', '--args', '{"text":"x"}'],
        ].map(words => ['mcp', ...words]),
        ...[['lock'], ['lock', 'diff'], ['lock', 'approve'], ['doctor', 'demo']],
        ['record', 'demo', join(home.path, 'tape.jsonl')],
      ];
      for (const words of commands) {
        const input = words[0] === 'record' ? `${JSON.stringify(GREETING)}\n` : '';
        const quiet = await junctor(home, words, { input });
        const loud = await junctor(home, words, { input, env: { JUNCTOR_MCP_DEBUG: '1' } });
        const debugs = [quiet, loud].map(({ stderr }) => /^DEBUG: /m.test(stderr));
        expect([words.join(' '), ...debugs]).toEqual([words.join(' '), false, true]);
      }

      // Only a call of a tool can take longer than a tool may.
      const slow = ['mcp', 'call', 'demo', 'slow', '--args', '{"ms":20000}', '--json'];
      const late = await junctor(home, slow, { env: { MCP_TOOL_TIMEOUT: '150' } });
      expect([late.code, JSON.parse(late.stdout).error.code]).toEqual([1, 'timeout']);
      const env = { ...home.env, MCP_TOOL_TIMEOUT: '150', JUNCTOR_MCP_DEBUG: '1' };
      await using hub = await startHub({ ...home, env }, config);
      const client = await RawClient.open(hub, '/mcp/codex');
      const [answer] = await client.call(1, 'demo_slow', { ms: 20_000 });
      expect(JSON.stringify(answer)).toMatch(/took longer|timeout|timed out|no answer/i);
      expect(hub.stderr()).toMatch(/^\S+Z DEBUG: /m);
    },
    MANY_COMMANDS_MS,
  );
});

const GREETING = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
