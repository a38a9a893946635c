/** What Junctor is made of: listed, under licences that we may pass on, with the notices that those ask for. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise, ROOT } from '@junctor/testkit';
import { describe, expect } from 'vitest';

interface Component {
  readonly name: string;
  readonly purl: string;
  readonly scope: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

/** Named through a variable: scripts have no types. */
const script = <Module>(path: string): Promise<Module> => import(join(ROOT, 'scripts', path));

const noticesOf = (folder: string) => readFileSync(join(ROOT, 'packages', folder, 'THIRD-PARTY-NOTICES.txt'), 'utf8');

/** The packages that source maps name: what really is in the files. */
function packagesIn(folder: string): Set<string> {
  const maps = readdirSync(join(ROOT, 'packages', folder), { recursive: true, encoding: 'utf8' });
  const found = maps
    .filter(name => name.endsWith('.js.map'))
    .flatMap(name => JSON.parse(readFileSync(join(ROOT, 'packages', folder, name), 'utf8')).sources as string[])
    .flatMap(source => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []);
  return new Set(found);
}

describe('the supply chain', () => {
  promise('12.6o', 'SEC-L16: an SBOM names every package of the lockfile with its hash, and no registry', async () => {
    const { sbom } = await script<{ sbom(): { components: readonly Component[] } }>('supply-chain.mjs');
    const { components } = sbom();
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages as Record<
      string,
      { readonly version?: string; readonly link?: boolean }
    >;
    const locked = Object.entries(lock).flatMap(([path, { version, link }]) => {
      const name = /.*node_modules\/(.+)$/.exec(path)?.[1];
      return name === undefined || link ? [] : [`${name}@${version}`];
    });
    const listed = new Set(components.map(({ purl }) => decodeURIComponent(purl.slice('pkg:npm/'.length))));
    expect(locked.filter(one => !listed.has(one))).toEqual([]);
    expect(components.filter(({ scope }) => scope === 'required').length).toBeGreaterThan(50);
    expect(components.every(({ hashes }) => /^[0-9a-f]{128}$/.test(hashes?.[0]?.content ?? ''))).toBe(true);
    expect(JSON.stringify(components)).not.toMatch(/https?:/);
  });

  promise('12.6o', 'a package with a licence that is not on the list fails the check', async () => {
    const { wrongLicences } = await script<{ wrongLicences(root: string, text?: string): string[] }>(
      'checks/licences.mjs',
    );
    expect(wrongLicences(ROOT)).toEqual([]);
    const entry = (license: string | undefined, dev = false) => ({ version: '1.0.0', license, dev });
    const packages = {
      'node_modules/good': entry('MIT'),
      'node_modules/choice': entry('(MIT OR GPL-3.0-only)'),
      'node_modules/both': entry('(MIT AND GPL-3.0-only)'),
      'node_modules/strong': entry('GPL-3.0-only'),
      'node_modules/none': entry(undefined),
      'node_modules/passed-on': entry('MPL-2.0'),
      'node_modules/tool': entry('MPL-2.0', true),
    };
    const wrong = wrongLicences(ROOT, JSON.stringify({ packages })).map(sentence => sentence.split(' ')[0]);
    expect(wrong).toEqual(['both', 'strong', 'none', 'passed-on']);
  });

  promise('12.6o', 'LIB-L13: bundles that are published carry the notices of every package in them', () => {
    const library = noticesOf('core/dist');
    const command = noticesOf('cli/bundle');
    const bundled = packagesIn('core/dist');
    expect([...bundled], 'source maps name packages').toContain('zod');
    for (const name of bundled) expect([name, library.includes(`- ${name} `)]).toEqual([name, true]);
    for (const name of [...bundled, 'react', 'ai', 'kysely'])
      expect([name, command.includes(`- ${name} `)]).toEqual([name, true]);
    for (const text of [library, command]) expect(text).toContain('Permission is hereby granted, free of charge');
    expect(library).not.toContain('react');
  });
});
