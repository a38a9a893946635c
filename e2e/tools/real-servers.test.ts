import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeHome, promise, ROOT } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { hostListing, type Listed } from './listing.ts';
import { type ProviderRules, refusals } from './provider-metaschemas.ts';

const SAMPLES = join(ROOT, 'packages/core/src/catalogue/schema-fit/samples');

/** What servers from npm list, as they listed it, by the package they are from. */
const LISTS: Readonly<Record<string, readonly Listed[]>> = Object.fromEntries(
  globSync('*.jsonl', { cwd: SAMPLES }).map(file => {
    const [, ...lines] = readFileSync(join(SAMPLES, file), 'utf8').trimEnd().split('\n');
    return [basename(file, '.jsonl'), lines.map(line => JSON.parse(line) as Listed)];
  }),
);

const RULES: Readonly<Record<string, ProviderRules>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  'openai-responses': 'openai',
  gemini: 'gemini',
};

test('the rules of each provider refuse some of what real servers list', () => {
  const refused = (rules: ProviderRules) =>
    Object.values(LISTS).flatMap(tools => tools.filter(({ inputSchema }) => refusals(rules, inputSchema).length > 0));
  const counts = (['anthropic', 'openai', 'openai strict', 'gemini'] as const).map(rules => refused(rules).length);
  expect(counts.every(count => count > 0)).toBe(true);
});

/** All of them at once: how many a provider takes is another question. */
const MANY = { max_tools: 10_000 };

promise('3.3c', 'the tools of 26 servers from npm are adapted to what each provider takes', async () => {
  await using home = await makeHome();
  const config = { model_profiles: { openai: MANY, 'openai-responses': MANY } };
  await using host = await hostListing(home, LISTS, { config });
  expect(Object.keys(LISTS).length).toBeGreaterThanOrEqual(12);
  for (const [model, rules] of Object.entries(RULES)) {
    const entries = await host.tools({ model });
    expect([model, entries.length]).toEqual([model, Object.values(LISTS).flat().length]);
    for (const { server, tool, offered, fit } of entries) {
      const said = refusals(fit.strict ? 'openai strict' : rules, offered.inputSchema);
      expect({ model, server, tool, said }).toEqual({ model, server, tool, said: [] });
    }
    const strict = entries.filter(({ fit }) => fit.strict).length;
    expect([model, strict > 0]).toEqual([model, rules === 'openai']);
  }
});
