import { describe, expect, test } from 'vitest';
import { readPasted } from './read-pasted.ts';

const fs = { transport: 'stdio', command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/tmp'] };
const entry = { command: fs.command, args: fs.args };
const text = JSON.stringify(entry);

const ROWS: readonly (readonly [title: string, pasted: string, servers: Record<string, unknown>])[] = [
  ['a file of Claude Desktop', JSON.stringify({ mcpServers: { fs: entry } }), { fs }],
  ['our own', JSON.stringify({ version: 1, servers: { fs } }), { fs }],
  ['JSON with comments', `// mine\n{ "mcpServers": { "fs": ${text}, /* last */ } }`, { fs }],
  ['VS Code', JSON.stringify({ servers: { fs: { type: 'stdio', ...entry } } }), { fs }],
  ['Zed', JSON.stringify({ context_servers: { fs: { source: 'custom', ...entry } } }), { fs }],
  ['OpenCode', JSON.stringify({ mcp: { fs: { type: 'local', command: ['npx', ...fs.args] } } }), { fs }],
  ['a piece of a file', `  "fs": ${text},`, { fs }],
  ['a map of servers', JSON.stringify({ fs: entry }), { fs }],
  ['one entry without a name', text, { 'server-filesystem': fs }],
  [
    'an address without a name',
    '{"url":"https://mcp.example.com/mcp"}',
    {
      'mcp-example-com': { transport: 'http', url: 'https://mcp.example.com/mcp' },
    },
  ],
  [
    'Codex',
    '[mcp_servers.fs]\ncommand = "npx"\nargs = ["-y", "@modelcontextprotocol/server-filesystem", "/tmp"]\n',
    { fs },
  ],
  [
    'Goose',
    'extensions:\n  fs:\n    type: stdio\n    name: fs\n    enabled: true\n    cmd: npx\n    args: [-y, "@modelcontextprotocol/server-filesystem", /tmp]\n',
    { fs: expect.objectContaining(fs) },
  ],
  ['claude mcp add', 'claude mcp add fs -- npx -y @modelcontextprotocol/server-filesystem /tmp', { fs }],
  ['claude mcp add, without dashes', '$ claude mcp add fs npx -y @modelcontextprotocol/server-filesystem /tmp', { fs }],
  [
    'claude mcp add, over lines',
    'claude mcp add --transport http \\\n  --scope user gh https://x.test/mcp \\\n  --header "Authorization: Bearer abc"',
    {
      gh: { transport: 'http', url: 'https://x.test/mcp', headers: { Authorization: 'Bearer abc' } },
    },
  ],
  [
    'claude mcp add, variables',
    "claude mcp add air --env KEY='a b' B=2 -- npx -y air --env C=3",
    {
      air: { transport: 'stdio', command: 'npx', args: ['-y', 'air', '--env', 'C=3'], env: { KEY: 'a b', B: '2' } },
    },
  ],
  ['claude mcp add-json', `claude mcp add-json fs '${text}' -s user`, { fs }],
  [
    'codex mcp add',
    'codex mcp add docs --url https://x.test/mcp --bearer-token-env-var DOCS',
    {
      docs: { transport: 'http', url: 'https://x.test/mcp', bearer_token_env_var: 'DOCS' },
    },
  ],
  [
    'gemini mcp add',
    'gemini mcp add -t sse --trust --exclude-tools a,b feed https://x.test/sse',
    {
      feed: { transport: 'sse', url: 'https://x.test/sse', trust: 'trusted', tools: { deny: ['a', 'b'] } },
    },
  ],
  ['droid mcp add', 'droid mcp add fs "npx -y @modelcontextprotocol/server-filesystem /tmp"', { fs }],
  [
    'our own line',
    'npx junctor mcp add fs --command npx --arg=-y --arg @modelcontextprotocol/server-filesystem --arg /tmp',
    { fs },
  ],
  ['VS Code, by its command line', `code --add-mcp '{"name":"fs",${text.slice(1)}'`, { fs }],
  [
    'several lines',
    'claude mcp add a -- one\n# and\nqwen mcp add b two',
    {
      a: { transport: 'stdio', command: 'one' },
      b: { transport: 'stdio', command: 'two' },
    },
  ],
];

describe('what is pasted', () => {
  test.for(ROWS)('%s', async ([, pasted, servers]) => {
    const read = await readPasted(pasted, { home: '/home/me' });
    expect(Object.fromEntries(read.servers.map(({ id, definition }) => [id, definition]))).toEqual(servers);
    expect(read.problems).toEqual([]);
    expect(read.what).toBeDefined();
  });

  test('is told of where it cannot be read, with the place', async () => {
    const told = async (pasted: string) => (await readPasted(pasted, { home: '/home/me' })).problems.join('\n');
    expect(await told('{ "mcpServers": { "fs": { "args": [] } } }')).toMatch(/pasted\.json:1.*Missing 'command'/);
    expect(await told('{ "mcpServers": {')).toMatch(/pasted\.json:1/);
    expect(await told('claude mcp add fs --colour red -- x')).toContain('means nothing here: --colour');
    expect(await told('claude mcp add fs')).toContain("Missing 'command'");
    expect(await told('hello')).not.toBe('');
    expect(await told('')).not.toBe('');
  });
});
