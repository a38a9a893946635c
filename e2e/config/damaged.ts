/** Reads damaged config files by the thousand. None may crash, and each either loads or says what is wrong. */

import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { loadMcpConfig } from '@junctor/core';
import { makeHome } from '@junctor/testkit';
import { damagedConfigs } from '@junctor/testkit/random';
import fc from 'fast-check';
import { expect } from 'vitest';

/** Without a seed, other files each time. */
export async function readDamaged(runs: number, seed: number = Math.floor(Math.random() * 2 ** 31)): Promise<void> {
  await using home = await makeHome();
  console.log(`${runs} damaged configs, seed ${seed}`);
  const surroundings = {
    cwd: home.project,
    home: home.path,
    env: {},
    platform: process.platform,
    policyDirectory: home.path,
  };
  await fc.assert(
    fc.asyncProperty(damagedConfigs(), async ({ file, text }) => {
      // Its folder's name is kept: it is part of what some programs are known by.
      const path = join(home.path, basename(dirname(file)), basename(file));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      const { problems, servers } = await loadMcpConfig({ path, isolated: true, surroundings });
      for (const problem of problems) {
        expect(problem.message).not.toBe('');
        expect(problem.line ?? 1).toBeGreaterThan(0);
      }
      for (const { definition } of servers.values()) expect(Object.hasOwn(definition, 'transport')).toBe(true);
    }),
    { numRuns: runs, seed },
  );
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
}
