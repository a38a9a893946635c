/** What a program prints that does not catch an error of the library, and one that runs on an old Node. */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeHome, promise, ROOT } from '@junctor/testkit';
import { expect } from 'vitest';

const DIST = join(ROOT, 'packages', 'core', 'dist');

function stderrOf(library: string, words: readonly string[] = []): string {
  const program = `
    const { createHost } = await import(${JSON.stringify(pathToFileURL(library).href)});
    const host = await createHost({ config: { version: 1, servers: {} } });
    await host.call('mcp__demo__echo', {});`;
  return spawnSync(process.execPath, [...words, '--input-type=module', '-e', program], { encoding: 'utf8' }).stderr;
}

promise('12.7b', 'an uncaught error shows a short line, named functions and, with source maps, the sources', () => {
  const plain = stderrOf(join(DIST, 'index.js'));
  expect(plain).toMatch(/JunctorError: There is no server 'demo'|JunctorError: .*mcp__demo__echo/);
  expect(plain.length).toBeLessThan(4000);
  expect(plain.indexOf('JunctorError:')).toBeLessThan(1000);
  expect(plain).toMatch(/at (?:async )?(?:[A-Za-z]+\.)?[a-z]\w{4,}[ .(]/i);
  const mapped = stderrOf(join(DIST, 'index.js'), ['--enable-source-maps']);
  expect(mapped).toMatch(/core[/\\]src[/\\][\w/\\-]+\.ts:\d+/);
});

promise('12.7c', 'on an old Node the library says in one sentence what it needs, and can be parsed there', async () => {
  await using home = await makeHome();
  const old = join(home.path, 'old');
  cpSync(join(ROOT, 'packages', 'core', 'package.json'), join(old, 'package.json'));
  cpSync(DIST, join(old, 'dist'), { recursive: true });
  const loader = join(old, 'dist', 'chunks', 'on-first-call.cjs');
  // With a version of our making: no older Node need be installed to see the answer.
  writeFileSync(loader, readFileSync(loader, 'utf8').replace('process.versions.node', "'20.1.0'"));
  const said = stderrOf(join(old, 'dist', 'index.js'));
  expect(said).toContain(`Error: Junctor needs Node.js 24 or newer; this is ${process.version}.`);
  expect([said.includes("code: 'node_too_old'"), said.length < 2000]).toEqual([true, true]);
  const newer = globSync('**/*.js', { cwd: DIST }).filter(file =>
    /^\s*(?:await )?using \w+ =/m.test(readFileSync(join(DIST, file), 'utf8')),
  );
  expect(newer).toEqual([]);
});
