import { promise } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { readConfig } from '../reading/read.ts';

async function read(file: string, value: object): Promise<unknown> {
  const result = await readConfig(file, JSON.stringify(value), { home: '/home/me' });
  return result.ok ? [result.reading.config.servers, result.reading.problems] : result.problems;
}

const local = { transport: 'stdio', command: 'npx', args: ['-y', 'pkg'], env: { K: '${K}' } };
const entry = { command: 'npx', args: ['-y', 'pkg'], env: { K: '${K}' } };
const url = 'https://example.com/mcp';

describe('files of programs without a dialect of their own', () => {
  promise('1.4y', 'that keep mcpServers load unchanged', async () => {
    const rows: [string, object, object][] = [
      [
        '/home/me/.qoder/settings.json',
        { hub: { type: 'http', url, headers: { A: 'b' } }, loc: entry },
        { hub: { transport: 'http', url, headers: { A: 'b' } }, loc: local },
      ],
      [
        '/home/me/.augment/settings.json',
        { hub: { type: 'http', url }, old: { type: 'sse', url } },
        { hub: { transport: 'http', url }, old: { transport: 'sse', url } },
      ],
      ['/home/me/.mcporter/mcporter.json', { loc: { ...entry, lifecycle: 'keep-alive' } }, { loc: local }],
      ['/home/me/.mcp-inspector/mcp.json', { loc: { type: 'stdio', ...entry } }, { loc: local }],
      [
        '/w/.roo/mcp.json',
        { hub: { type: 'streamable-http', url, alwaysAllow: ['a'], disabled: true } },
        { hub: { transport: 'streamable_http', url, enabled: false } },
      ],
      ['/home/me/jetbrains.json', { loc: { ...entry, workingDirectory: '/x' } }, { loc: local }],
      [
        '/home/me/.kiro/settings/mcp.json',
        { hub: { url, timeout: 1, disabledTools: ['x'] } },
        { hub: { transport: 'http', url, tools: { deny: ['x'] } } },
      ],
      ['/home/me/.gemini/config/mcp_config.json', { hub: { serverUrl: url } }, { hub: { transport: 'http', url } }],
    ];
    for (const [file, mcpServers, expected] of rows)
      expect([file, await read(file, { mcpServers, other: 1 })]).toEqual([file, [expected, []]]);
  });

  promise('1.4z', 'Amp keeps them under a key of its own', async () => {
    const value = {
      'amp.mcpServers': { hub: { url, headers: { A: 'b' }, includeTools: ['a'] }, loc: entry },
      'amp.other': true,
    };
    const expected = { hub: { transport: 'http', url, headers: { A: 'b' }, tools: { allow: ['a'] } }, loc: local };
    expect(await read('/home/me/.config/amp/settings.json', value)).toEqual([expected, []]);
  });

  promise('1.4aa', 'Crush keeps them under mcp, each with its type', async () => {
    const value = {
      mcp: {
        hub: { type: 'http', url, disabled_tools: ['x'] },
        old: { type: 'sse', url },
        loc: { type: 'stdio', ...entry, disabled: true },
      },
    };
    const expected = {
      hub: { transport: 'http', url, tools: { deny: ['x'] } },
      old: { transport: 'sse', url },
      loc: { ...local, enabled: false },
    };
    expect(await read('/home/me/crush.json', value)).toEqual([expected, []]);
  });
});
