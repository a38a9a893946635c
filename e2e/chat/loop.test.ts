import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promise, ROOT } from '@junctor/testkit';
import { expect } from 'vitest';

const LOOP = join(ROOT, 'packages', 'chat', 'src', 'loop');

promise('4.2d', 'the loop imports the AI SDK and itself, and nothing else: nothing of MCP', async () => {
  const files = (await readdir(LOOP)).filter(name => name.endsWith('.ts'));
  expect(files).toContain('run.ts');
  for (const name of files) {
    const text = await readFile(join(LOOP, name), 'utf8');
    const targets = [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, target = '']) => target);
    for (const target of targets) {
      if (target === 'ai') continue;
      expect(dirname(join(LOOP, target)), `${name} imports ${target}`).toBe(LOOP);
    }
    expect(text, name).not.toMatch(/mcp/i);
  }
});
