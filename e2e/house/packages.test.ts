import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';

const bin = (name: string) => join(ROOT, 'node_modules', '.bin', name);

/** What `npm publish` would upload. */
function pack(name: string, folder: string): { readonly tarball: string; readonly files: readonly string[] } {
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, '--workspace', name];
  const [{ filename, files }] = JSON.parse(
    execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  return { tarball: join(folder, filename), files: files.map(({ path }: { path: string }) => path) };
}

describe('a published package', () => {
  test.each(['@junctor/core', '@junctor/adapters', '@junctor/chat', '@junctor/hub', 'junctor'])(
    '%s has its licence, a first page, and exports and types that resolve',
    name => {
      const folder = mkdtempSync(join(tmpdir(), 'pack-'));
      try {
        const { tarball, files } = pack(name, folder);
        expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
        // What only the compiler reads, and what only tests do.
        expect(files.filter(file => /\.tsbuildinfo$|\.test\./.test(file))).toEqual([]);
        const publint = spawnSync(process.execPath, [bin('publint'), tarball, '--strict'], { encoding: 'utf8' });
        expect(`${publint.stdout}${publint.stderr}`).toContain('All good');
        if (name === 'junctor') return; // a program: it has nothing to import
        const attw = spawnSync(
          process.execPath,
          [bin('attw'), tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji'],
          {
            encoding: 'utf8',
          },
        );
        expect([attw.status, attw.status === 0 ? '' : attw.stdout]).toEqual([0, '']);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
});
