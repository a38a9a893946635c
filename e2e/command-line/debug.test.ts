import { createHost, type ForeignConfig } from '@junctor/core';
import { Log, type LogLevel, Redactor } from '@junctor/core/light';
import { junctor, makeHome, misbehaving, promise, testServer, trusted } from '@junctor/testkit';
import { serveHttp } from '@junctor/testkit/test-server';
import { describe, expect } from 'vitest';

const SECRET = 'very-secret-value-4711';

/** A host whose log is kept, line by line. */
async function logged(level: LogLevel, config: ForeignConfig) {
  const lines: string[] = [];
  const redactor = new Redactor();
  const log = new Log({ level, write: line => lines.push(line), redactor });
  return { lines, host: await createHost({ config, log, redactor, attempts: 1 }) };
}

describe('the log', () => {
  const config = {
    servers: { demo: trusted(testServer()), dead: misbehaving('dies-early'), bad: { transport: 'stdio' } },
  };

  promise(['4.4a', '4.4b'], 'tells news at info, troubles at warn, and no more than its level', async () => {
    for (const level of ['error', 'warn', 'info', 'debug'] as const) {
      const { lines, host } = await logged(level, config);
      await using _ = host;
      await host.start();
      const levels = new Set(lines.map(line => line.split(':')[0]));
      const wanted = { error: [], warn: ['WARN'], info: ['INFO', 'WARN'], debug: ['DEBUG', 'INFO', 'WARN'] }[level];
      expect([...levels].sort()).toEqual(wanted);
      if (level !== 'info') continue;
      expect(lines).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^WARN: .*servers\.bad.*Missing 'command'/),
          expect.stringMatching(/^WARN: MCP server 'dead' unavailable: /),
          "INFO: server 'demo' is connecting",
          "INFO: server 'demo' is ready",
          expect.stringMatching(/^INFO: server 'demo' offers \d+ tools/),
        ]),
      );
    }
  });

  promise('1.2x', 'holds everything of a server that says debug, and of no other', async () => {
    const servers = { loud: { ...trusted(testServer()), debug: true }, quiet: trusted(testServer()) };
    const { lines, host } = await logged('warn', { servers });
    await using _ = host;
    await host.call('mcp__loud__echo', { text: 'heard' });
    await host.call('mcp__quiet__echo', { text: 'unheard' });
    expect(lines.join('\n')).toContain('heard');
    expect(lines.filter(line => line.includes('quiet') || line.includes('unheard'))).toEqual([]);
  });
});

describe('debugging', () => {
  promise('4.4c', 'is switched on by --debug, JUNCTOR_MCP_DEBUG=1 and CODE_AGENT_MCP_DEBUG=1', async () => {
    await using home = await makeHome();
    await home.write('config/junctor/config.json', { version: 1, servers: { demo: trusted(testServer()) } });
    const call = ['mcp', 'call', 'demo', 'echo', '--args', '{"text":"hello"}'];
    const plain = await junctor(home, call);
    expect([plain.stdout, plain.stderr]).toEqual(['hello\n', '']);
    for (const [words, env] of [
      [['--debug'], {}],
      [[], { JUNCTOR_MCP_DEBUG: '1' }],
      [[], { CODE_AGENT_MCP_DEBUG: '1' }],
    ] as const) {
      const debugged = await junctor(home, [...call, ...words], { env });
      expect(debugged.stdout).toBe('hello\n');
      expect(debugged.stderr).toContain('DEBUG: → demo');
    }
  });

  promise(['4.4d', '4.4e'], 'shows headers, bodies, arguments, results and timings, secrets masked', async () => {
    const server = await serveHttp(0);
    await using _ = { [Symbol.asyncDispose]: () => server.close() };
    await using home = await makeHome();
    const headers = { Authorization: `Bearer ${SECRET}`, 'X-Team': 'blue' };
    await home.write('config/junctor/config.json', {
      version: 1,
      servers: { demo: { transport: 'http', url: server.url, headers, trust: 'trusted' } },
    });
    const args = JSON.stringify({ text: 'hello', api_key: 'another-secret-0815' });
    const { stdout, stderr } = await junctor(home, ['mcp', 'call', 'demo', 'echo', '--args', args, '--debug']);
    expect(stdout).toBe('hello\n');
    const lines = stderr.split('\n');
    const line = (...parts: string[]) => lines.find(one => parts.every(part => one.includes(part)));
    expect(line('→ demo: POST /mcp', '"X-Team":"blue"', '"Authorization":"•••"')).toBeDefined();
    expect(line('← demo: HTTP 200', 'content-type')).toBeDefined();
    expect(line('→ demo', '"method":"tools/call"', '"text":"hello"', '"api_key":"•••"')).toBeDefined();
    expect(line('← demo', '"ms":', '"content":[{"type":"text","text":"hello"}]')).toBeDefined();
    expect(stderr).not.toContain(SECRET);
    expect(stderr).not.toContain('another-secret-0815');
  });

  promise('4.4f', 'shows the program that is started and what it prints, secrets masked', async () => {
    await using home = await makeHome();
    const { command, args = [] } = testServer();
    const script = 'echo "ready, key $API_KEY" >&2; exec "$@"';
    const words = ['-c', script, '--api-key=another-secret-0815', command, ...args];
    const program = { transport: 'stdio', command: 'sh', args: words, env: { API_KEY: SECRET }, trust: 'trusted' };
    await home.write('config/junctor/config.json', { version: 1, servers: { demo: program } });
    const { stderr } = await junctor(home, ['mcp', 'call', 'demo', 'echo', '--args', '{"text":"hi"}', '--debug']);
    const lines = stderr.split('\n');
    expect(lines.find(line => line.includes('starts demo'))).toMatch(/"command":"sh","args":\["-c",.*exec/);
    expect(lines).toContain('DEBUG: demo prints: ready, key •••');
    for (const secret of [SECRET, 'another-secret-0815']) expect(stderr).not.toContain(secret);
  });
});
