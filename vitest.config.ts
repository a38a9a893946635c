import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/longest-first.ts';

const rigs = process.env.JUNCTOR_RIGS === '1';
const conditions = ['junctor-source', 'module', 'node', 'import', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    setupFiles: ['packages/testkit/src/no-leaks.ts'],
    pool: 'forks',
    // A file leaves nothing behind in its process, so that the next one can use it, and the modules it has loaded. What
    // measures has its own.
    isolate: rigs,
    // A test of real programs waits for them more than half of its time; the slow parts measure and fill the machine.
    maxWorkers: rigs ? 2 : Math.ceil(2.5 * availableParallelism()),
    sequence: { sequencer: LongestFirst },
    // For what hangs alone: a machine that is busy takes many times as long as a free one.
    testTimeout: rigs ? 300_000 : 180_000,
    hookTimeout: 120_000,
    // What is waited for comes at once, or late where the machine is busy; a second would be a guess about machines.
    expect: { poll: { timeout: 30_000 } },
    reporters: ['default', ['json', { outputFile: `.reports/${rigs ? 'rigs' : 'tests'}.json` }]],
    projects: rigs
      ? [{ extends: true, test: { name: 'rigs', include: ['e2e/rigs/**/*.test.ts'] } }]
      : [
          // They run in the order of their names: the short ones are last, so that no long one runs alone at the end.
          {
            extends: true,
            test: { name: 'browser', include: ['e2e/web/**/*.test.ts'], setupFiles: ['e2e/web/end-browser.ts'] },
          },
          {
            extends: true,
            test: { name: 'e2e', include: ['e2e/**/*.test.ts'], exclude: ['e2e/rigs/**', 'e2e/web/**'] },
          },
          {
            extends: true,
            test: {
              name: 'units',
              include: ['packages/*/src/**/*.test.ts'],
              setupFiles: ['packages/testkit/src/same-dice.ts'],
            },
          },
        ],
  },
});
