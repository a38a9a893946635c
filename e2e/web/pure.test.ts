import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { promise, ROOT } from '@junctor/testkit';
import { expect } from 'vitest';
import { theBrowser } from './browser.ts';

const DIST = join(ROOT, 'packages', 'core', 'dist');

/** Runs in the browser: each of the things that @junctor/core/pure is for, once. */
const PROGRAM = `
  const { parseMcpConfig, resolve, publicNames, Gate, ToolIndex } = await import('/pure.js');
  const config = parseMcpConfig({ version: 1, servers: { fs: { transport: 'stdio', command: 'fs' } } });
  let refused;
  try { parseMcpConfig({ version: 1, servers: { fs: { transport: 'stdio' } } }); } catch (error) { refused = error.message; }
  const names = publicNames([{ server: 'fs', tool: 'read_file' }], 'mcp__');
  const servers = new Map([['fs', { id: 'fs', layer: 'user', definition: config.servers.fs }]]);
  const { list } = resolve({ config: { enabled: true, servers, frame: {} }, executor: 'local' });
  const gate = new Gate({ permissions: { deny: ['mcp__fs__delete_*'] }, trust: new Map([['fs', true]]) });
  const index = new ToolIndex();
  index.setServer('fs', [
    { server: 'fs', tool: 'read_file', description: 'Reads a file' },
    { server: 'fs', tool: 'move', description: 'Moves something' },
  ]);
  return {
    servers: Object.keys(config.servers), refused, names, resolved: list.map(({ name, mode }) => [name, mode]),
    verdicts: ['read_file', 'delete_all'].map(tool => gate.judge('fs', tool).effect),
    found: index.search('read a file', 1).map(({ server, tool }) => server + '/' + tool),
  };
`;

promise(
  ['8.26b'],
  'the pure entry loads in a browser, and parses, resolves, names, judges and searches there',
  async context => {
    const browser = await theBrowser(context);
    const server = createServer((request, response) => {
      const path = request.url ?? '/';
      if (path === '/')
        return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>x</title>');
      const file = path.startsWith('/chunks/') ? join(DIST, 'chunks', basename(path)) : join(DIST, basename(path));
      readFile(file).then(
        text => response.writeHead(200, { 'content-type': 'text/javascript' }).end(text),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const page = await browser.newPage();
    try {
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      const found = await page.evaluate(`(async () => {${PROGRAM}})()`);
      expect(found).toEqual({
        servers: ['fs'],
        refused: expect.stringContaining("Missing 'command' in stdio server 'fs'"),
        names: ['mcp__fs__read_file'],
        resolved: [['fs', 'per_session']],
        verdicts: ['allow', 'deny'],
        found: ['fs/read_file'],
      });
    } finally {
      await page.close();
      server.close();
      server.closeAllConnections();
    }
  },
);
