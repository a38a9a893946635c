import { defineConfig } from 'vitest/config';

const rigs = process.env.JUNCTOR_RIGS === '1';
const conditions = ['junctor-source', 'module', 'node', 'import', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: rigs
      ? ['e2e/rigs/**/*.test.ts']
      : ['packages/*/src/**/*.test.ts', 'e2e/**/*.test.ts', 'scripts/**/*.test.ts'],
    exclude: rigs ? [] : ['e2e/rigs/**'],
    setupFiles: ['packages/testkit/src/no-leaks.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: rigs ? 300_000 : 30_000,
    hookTimeout: 30_000,
    reporters: ['default', ['json', { outputFile: `.reports/${rigs ? 'rigs' : 'tests'}.json` }]],
  },
});
