import { join } from 'node:path';
import { loadMcpConfig } from '@junctor/core';
import { changeServers } from '@junctor/core/config-write';
import { makeHome, promise } from '@junctor/testkit';
import { anyServer, anyServerId } from '@junctor/testkit/random';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDamaged } from './damaged.ts';

/** The same ones on every run: what fails is what has changed. */
const SEED = 20_260_728;

describe('random configs', () => {
  promise(
    ['1.5b', '1.5c', '1.5d', '9.13d'],
    'any servers survive being written and read, in every notation',
    async () => {
      await using home = await makeHome();
      const surroundings = {
        cwd: home.project,
        home: home.path,
        env: {},
        platform: process.platform,
        policyDirectory: home.path,
      };
      let number = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.dictionary(anyServerId, anyServer, { minKeys: 1, maxKeys: 4 }),
          fc.constantFrom('json', 'yaml', 'toml'),
          async (servers, ending) => {
            const path = join(home.path, `config-${number++}.${ending}`);
            const changes = Object.entries(servers).map(([id, definition]) => ({
              id,
              definition: definition as never,
            }));
            await changeServers(path, changes, { home: home.path, dialect: 'junctor' });
            const loaded = await loadMcpConfig({ path, isolated: true, dialect: 'junctor', surroundings });
            expect(loaded.problems).toEqual([]);
            expect(Object.fromEntries([...loaded.servers].map(([id, { definition }]) => [id, definition]))).toEqual(
              servers,
            );
          },
        ),
        { numRuns: 300, seed: SEED },
      );
    },
  );

  test('5,000 damaged files are read without a crash', () => readDamaged(5000, SEED), 300_000);
});
