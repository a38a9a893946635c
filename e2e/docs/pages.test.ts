import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeHome, promise, ROOT } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { blocksOf, commandsOf, makeFolder, pattern, runCommand, shellEnv } from './run-page.ts';

describe('README.md', () => {
  test('shows commands that do what it shows', async () => {
    await using home = await makeHome();
    using folder = makeFolder();
    const shown = commandsOf('README.md');
    expect(shown.length).toBeGreaterThan(4);
    for (const { command, output } of shown) {
      expect(`$ ${command}\n${runCommand(home, folder.path, command)}`).toMatch(pattern(`$ ${command}\n${output}`));
    }
  });

  promise('8.26a', 'shows library code that runs', async () => {
    await using home = await makeHome();
    const [snippet] = blocksOf('README.md', 'ts');
    using folder = makeFolder();
    const file = join(folder.path, 'readme.ts');
    writeFileSync(file, snippet as string);
    const { stdout, stderr } = spawnSync(process.execPath, [file], {
      cwd: ROOT,
      env: shellEnv(home),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(['mcp__demo__echo', 'hello']));
  });

  test('shows JSON that is JSON', () => {
    for (const block of blocksOf('README.md', 'json'))
      expect(JSON.parse(block).mcpServers.junctor.url).toContain('/mcp/claude-code');
  });
});
