import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { anySchema } from '@junctor/testkit/random';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODEL_PROFILES } from '../profiles/built-in.ts';
import { findModel } from '../profiles/find-profile.ts';
import { fitSchema } from './fit-schema.ts';
import type { Complaint } from './judges/complaint.ts';
import { JUDGES, lintSchema } from './judges/judge.ts';
import { judgeOpenAiStrict } from './judges/openai-strict.ts';

const PROVIDERS = Object.keys(MODEL_PROFILES);

/** What is read by any model is read by each. */
function verdict(provider: string, schema: unknown): Complaint[] {
  const judges = provider === 'default' ? Object.values(JUDGES) : [JUDGES[provider]];
  return judges.flatMap(judge => judge?.(schema) ?? [{ at: '', says: 'nobody judges this provider' }]);
}

interface Sample {
  readonly server: string;
  readonly tools: readonly { readonly name: string; readonly inputSchema: unknown }[];
}

/** What servers from npm list, as they listed it: the first line says which, the others have a tool each. */
const SAMPLES: readonly Sample[] = globSync(join(import.meta.dirname, 'samples', '*.jsonl')).map(file => {
  const [, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  return { server: basename(file, '.jsonl'), tools: lines.map(line => JSON.parse(line)) };
});

describe.each(PROVIDERS)('for %s', provider => {
  const rules = findModel(provider).profile.schema;

  test('whatever a server writes becomes a schema that the provider takes, once and for all', () => {
    fc.assert(
      fc.property(anySchema, schema => {
        const fit = fitSchema(schema, rules);
        expect(verdict(provider, fit.schema)).toEqual([]);
        if (fit.strict) expect(judgeOpenAiStrict(fit.schema)).toEqual([]);
        expect(fitSchema(fit.schema, rules)).toEqual({ ...fit, changes: [] });
      }),
      { numRuns: 300 },
    );
  });

  test('the tools of real servers are taken', () => {
    for (const { server, tools } of SAMPLES) {
      for (const { name, inputSchema } of tools) {
        const { schema } = fitSchema(inputSchema, rules);
        expect({ server, name, complaints: verdict(provider, schema) }).toEqual({ server, name, complaints: [] });
      }
    }
  });
});

test('the real servers are many, and what they list is not what every provider takes', () => {
  expect(SAMPLES.length).toBeGreaterThanOrEqual(12);
  const refusedBy = new Set(
    SAMPLES.flatMap(({ tools }) =>
      tools.flatMap(({ inputSchema }) => lintSchema(inputSchema).map(({ provider }) => provider)),
    ),
  );
  expect([...refusedBy].sort()).toEqual(Object.keys(JUDGES).sort());
});
