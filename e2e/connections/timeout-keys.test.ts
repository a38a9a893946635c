/** Timeouts mean what the file that holds them says, for calls too, and an error names the key that decided. */
import { junctor, makeHome, promise, testServer } from '@junctor/testkit';
import { expect } from 'vitest';

const { command, args } = testServer();
const program = { command, ...(args ? { args } : {}) };

/** How each file limits a call, and what its key is called there. */
const LIMITS: readonly (readonly [string, object | string, string])[] = [
  [
    'project/junctor.json',
    { servers: { s: { transport: 'stdio', ...program, tool_timeout_ms: 700 } } },
    'tool_timeout_ms',
  ],
  [
    'project/junctor.json',
    { servers: { s: { transport: 'stdio', ...program, tool_idle_timeout_ms: 700 } } },
    'tool_idle_timeout_ms',
  ],
  [
    'project/junctor.json',
    { servers: { s: { transport: 'stdio', ...program, tool_timeouts_ms: { slow: 700 } } } },
    'tool_timeouts_ms.slow',
  ],
  [
    'project/junctor.json',
    { defaults: { tool_timeout_ms: 700 }, servers: { s: { transport: 'stdio', ...program } } },
    'defaults.tool_timeout_ms',
  ],
  [
    'project/.codelia/config.json',
    { version: 1, mcp: { servers: { s: { transport: 'stdio', ...program, request_timeout_ms: 700 } } } },
    'request_timeout_ms',
  ],
  ['.code_agent/config.json', { mcp: { servers: { s: { type: 'stdio', ...program, timeout: 700 } } } }, 'timeout'],
  [
    '.code_agent/config.json',
    { mcp: { servers: { s: { type: 'stdio', ...program } }, globalSettings: { timeout: 700 } } },
    'timeout',
  ],
];

promise(['2.8r', '2.8n'], 'a call ends at the limit of its file, and the error names limit and key', async () => {
  for (const [file, config, key] of LIMITS) {
    await using home = await makeHome();
    await home.write(file, config);
    await junctor(home, ['trust', 'add', '--all']);
    const { code, stderr } = await junctor(home, ['mcp', 'call', 's', 'slow', '--args', '{"ms":60000}', '--yes']);
    expect([file, code, stderr]).toEqual([
      file,
      1,
      expect.stringContaining("'s' did not answer tools/call within 700 ms."),
    ]);
    expect([file, stderr]).toEqual([file, expect.stringContaining(`raise ${key} of server 's'`)]);
  }
});

promise(
  ['2.8n', '2.8o'],
  'a time for whole calls lifts the limit of silence; documents keep their defaults',
  async () => {
    const rows: readonly (readonly [string, object | string, number, number])[] = [
      ['project/junctor.json', { servers: { s: { transport: 'stdio', command: 'x' } } }, 300_000, 97_200_000],
      [
        'project/junctor.json',
        { servers: { s: { transport: 'stdio', command: 'x', tool_timeout_ms: 600_000 } } },
        600_000,
        600_000,
      ],
      [
        'project/junctor.json',
        { defaults: { tool_timeout_ms: 600_000 }, servers: { s: { transport: 'stdio', command: 'x' } } },
        600_000,
        600_000,
      ],
      ['project/.mcp.toml', '[mcp_servers.s]\ntransport = "stdio"\nprogram = "x"\n', 97_200_000, 97_200_000],
      [
        'project/.mcp.toml',
        '[mcp_servers.s]\ntransport = "stdio"\nprogram = "x"\ntool_timeout_sec = 600\n',
        600_000,
        600_000,
      ],
      [
        'project/.codelia/config.json',
        { version: 1, mcp: { servers: { s: { transport: 'stdio', command: 'x' } } } },
        30_000,
        30_000,
      ],
    ];
    for (const [file, config, idle, total] of rows) {
      await using home = await makeHome();
      await home.write(file, config);
      const { fields } = JSON.parse((await junctor(home, ['explain', 's', '--json'])).stdout);
      const fieldOf = (key: string) => fields.find((one: { key: string }) => one.key === key)?.value;
      expect([file, fieldOf('tool_idle_timeout_ms'), fieldOf('tool_timeout_ms')]).toEqual([file, idle, total]);
      // What the format says by itself is not written into the file.
      expect(await junctor(home, ['mcp', 'disable', 's'])).toMatchObject({ code: 0 });
      expect((await junctor(home, ['mcp', 'get', 's', '--json'])).stdout).toContain('"enabled": false');
    }
  },
);

promise('2.8p', 'an unreadable MCP_TOOL_TIMEOUT is told as a warning', async () => {
  await using home = await makeHome();
  for (const value of ['abc', '0', '-5']) {
    const { code, stderr } = await junctor(home, ['mcp', 'list'], { env: { MCP_TOOL_TIMEOUT: value } });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/warning: \$MCP_TOOL_TIMEOUT: .*milliseconds above 0/)]);
  }
  expect((await junctor(home, ['mcp', 'list'], { env: { MCP_TOOL_TIMEOUT: '900000' } })).stderr).toBe('');
});
