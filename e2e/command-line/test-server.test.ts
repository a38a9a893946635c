import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createHost } from '@junctor/core';
import { type Home, JUNCTOR, makeHome, promise, testServer, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';

function start(home: Home, ...words: string[]): ChildProcess {
  return spawn(process.execPath, [JUNCTOR, ...words], {
    cwd: home.project,
    env: home.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [chunk] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return chunk.toString().trim();
}

/** The one test that needs a port of its own choosing: another program may have it. */
function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

describe('test-server', () => {
  promise('4.6b', 'listens on port 8888 of this machine when no flag is given', async ({ skip }) => {
    if (!(await isFree(8888))) skip('another program listens on port 8888');
    await using home = await makeHome();
    const server = start(home, 'test-server');
    const url = await firstLine(server);
    expect(url).toBe('http://127.0.0.1:8888/mcp');
    {
      await using host = await createHost({
        config: { servers: { demo: { transport: 'http', url, trust: 'trusted' } } },
      });
      expect((await host.call('mcp__demo__echo', { text: 'over http' })).output).toBe('over http');
    }
    server.kill('SIGTERM');
    expect(await once(server, 'exit')).toEqual([0, null]);
  });

  promise('8.19a', 'serves stdio, http, sse or ws, as its flag says', async () => {
    await using home = await makeHome();
    for (const transport of ['http', 'sse', 'ws']) {
      const server = start(home, 'test-server', `--${transport}`, '0');
      const url = await firstLine(server);
      {
        await using host = await createHost({ config: { servers: { demo: { transport, url, trust: 'trusted' } } } });
        expect((await host.call('mcp__demo__echo', { text: transport })).output).toBe(transport);
      }
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
  });

  promise('4.6e', 'has a tool that takes five seconds, or as long as it is told', async () => {
    await using host = await createHost({ config: { servers: { demo: trusted(testServer()) } } });
    const [long, short] = await Promise.all([host.call('mcp__demo__slow'), host.call('mcp__demo__slow', { ms: 30 })]);
    expect([long.output, short.output]).toEqual(['waited 5000 ms', 'waited 30 ms']);
  });
});

describe('Ctrl-C', () => {
  promise('8.22e', 'ends a call with exit code 130, and its server with it', async () => {
    await using home = await makeHome();
    await home.write('config/junctor/config.json', { servers: { demo: trusted(testServer('--delay', '300')) } });
    const call = start(home, 'mcp', 'call', 'demo', 'slow', '--args', '{"ms":60000}');
    await new Promise(resolve => setTimeout(resolve, 1200));
    call.kill('SIGINT');
    expect(await once(call, 'exit')).toEqual([130, null]);
  });
});
