import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatName, loadFormat } from '@junctor/core/config-write';
import { promise, ROOT } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { blocksOf } from '../docs/run-page.ts';

const SCHEMA = 'packages/core/schema/junctor.schema.json';
const PACKAGE_PATH = 'node_modules/@junctor/core/schema/junctor.schema.json';

type JsonSchema = Readonly<Record<string, unknown>>;
type Validator = ((value: unknown) => boolean) & { readonly errors?: unknown };

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const schema: JsonSchema = JSON.parse(read(SCHEMA));

/** Named through a variable: whether it is installed is not for the compiler to say. */
const load = (specifier: string): Promise<Record<string, unknown>> => import(specifier);

/** A validator that came with some other package, where there is one. */
async function validator(): Promise<Validator | undefined> {
  const ajv = await load('ajv/dist/2020.js').catch(() => undefined);
  const Ajv = ajv?.Ajv2020 as (new (options: object) => { compile(from: JsonSchema): Validator }) | undefined;
  return Ajv && new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
}

/** The examples that are in our own format, and the values that stand in them. */
async function ownExamples(): Promise<{ file: string; text: string; value: unknown }[]> {
  const files = readdirSync(join(ROOT, 'examples')).filter(name => /^(junctor|bundles)/.test(name));
  return Promise.all(
    files.map(async name => {
      const file = join('examples', name);
      const text = read(file);
      const result = (await loadFormat(formatName(file))).read(file, text);
      return { file, text, value: result.ok ? result.document.value : result.problems };
    }),
  );
}

describe('what is generated from the schema', () => {
  test('is what the schema says now: after a change of it, run node scripts/config-page.mjs', async () => {
    const { generated } = (await load(join(ROOT, 'scripts', 'config-page.mjs'))) as {
      generated(): Record<string, string>;
    };
    for (const [file, content] of Object.entries(generated())) expect(read(file)).toBe(content);
  });

  promise(
    '9.12g',
    '$schema of every example and of the reference leads into a package, to a file that exists',
    async () => {
      const named = (await ownExamples()).map(({ file, text }) => ({
        file,
        path: /\$?schema["= :]+(\S+?\.json)/.exec(text)?.[1],
      }));
      for (const { file, path = '' } of named) {
        expect({ file, path }).toEqual({ file, path: `../${PACKAGE_PATH}` });
        expect(existsSync(join(ROOT, dirname(file), path))).toBe(true);
      }
      const [config] = blocksOf('docs/config.md', 'json');
      expect(config?.text).toContain(`"$schema": "./${PACKAGE_PATH}"`);
      expect(read(PACKAGE_PATH)).toBe(read(SCHEMA));
      expect(JSON.parse(read('packages/core/package.json')).files).toContain('schema');
    },
  );

  test('accepts every example in our format, and refuses what the program refuses', async () => {
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    const fits = await validator();
    for (const { file, value } of await ownExamples()) {
      const known = Object.keys(schema.properties as object);
      expect({ file, unknown: Object.keys(value as object).filter(key => !known.includes(key)) }).toEqual({
        file,
        unknown: [],
      });
      if (fits) expect({ file, fits: fits(value), errors: fits.errors }).toEqual({ file, fits: true, errors: null });
    }
    if (!fits) return;
    const server = { transport: 'stdio', command: 'npx' };
    const accepted = [
      { fs: server },
      { fs: { enabled: false } },
      { fs: { transport: 'ws', url: 'wss://example.com' } },
    ];
    const refused = [
      { fs: { transport: 'stdio' } },
      { fs: { ...server, comand: 'npx' } },
      { fs: { ...server, oauth: {} } },
      { fs: { enabled: false, trust: 'trusted' } },
      { fs: { transport: 'https', url: 'https://example.com' } },
      { fs: { ...server, tool_timeout_ms: 0 } },
      { 'my server': server },
    ];
    expect(accepted.map(servers => fits({ version: 1, servers }))).toEqual(accepted.map(() => true));
    expect(refused.map(servers => fits({ version: 1, servers }))).toEqual(refused.map(() => false));
    expect(fits({ version: 2 })).toBe(false);
  });
});

test('the tables of the threat model name the tests there are: after a change, run npm run attack -- --page', async () => {
  const { page } = (await load(join(ROOT, 'scripts', 'threats', 'page.mjs'))) as { page(): string };
  expect(read('docs/threat-model.md')).toBe(page());
});
