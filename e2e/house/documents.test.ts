import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { junctor, makeHome, promise, ROOT } from '@junctor/testkit';
import { expect } from 'vitest';
import { citations, readClauses } from '../../scripts/clauses.mjs';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const PAGES = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: ROOT })];

/** Files of the repository that a page leads to. */
function linksOf(page: string): string[] {
  return [...read(page).matchAll(/\]\((?!\w+:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => join(dirname(page), to));
}

/** Where a reader of a page gets; whoever is led to a folder sees the pages in it. */
function onwardsFrom(place: string): string[] {
  if (!place.endsWith('.md')) return globSync(join(place, '*.md'), { cwd: ROOT });
  return existsSync(join(ROOT, place)) ? linksOf(place) : [];
}

promise(
  'A10j',
  'the documentation is complete: guides and examples, every command, every page within reach',
  async () => {
    const guides = ['docs/setup.md', 'docs/developer.md', 'docs/servers.md', 'examples/junctor.json'];
    expect(guides.filter(file => !existsSync(join(ROOT, file)))).toEqual([]);
    const proofs = citations();
    const documents = readClauses().filter(({ id }) => id.startsWith('6.'));
    expect(documents.filter(({ id, state }) => state !== 'kept' || !proofs.has(id))).toEqual([]);

    const within = new Set(['README.md']);
    for (const page of within) for (const next of onwardsFrom(page)) within.add(next);
    expect(PAGES.filter(page => !within.has(page))).toEqual([]);
    expect(
      PAGES.flatMap(page =>
        linksOf(page)
          .filter(to => !existsSync(join(ROOT, to)))
          .map(to => [page, to]),
      ),
    ).toEqual([]);

    await using home = await makeHome();
    const { stdout } = await junctor(home, ['--help']);
    const commands = [...stdout.matchAll(/^ {2}([a-z][a-z-]*(?: [a-z]+)?)(?= {2}| [[A-Z])/gm)].map(
      ([, words = '']) => words,
    );
    expect(commands.length).toBeGreaterThan(40);
    const told = PAGES.filter(page => page !== 'docs/promises.md')
      .map(read)
      .join('\n');
    const isTold = (words: string): boolean =>
      new RegExp(`junctor ${words}\\b|\`${words}\\b|^${words}\\b`, 'm').test(told);
    expect(commands.filter(words => !isTold(words))).toEqual([]);
  },
);
