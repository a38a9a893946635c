/** The keywords that combine schemas: `allOf`, `anyOf`, `oneOf`, `not`, `if`. Pure. */
import type { JsonSchema } from '../../catalogue/schema-fit/json-schema.ts';
import type { Judge } from './judge.ts';
import { both, isMisfit, type Misfit, type ValuePlace, type Verdict } from './verdict.ts';

type Inner = (schema: unknown) => Verdict;

export function combined(judge: Judge, schema: JsonSchema, value: unknown, at: ValuePlace | undefined): Verdict {
  const inner: Inner = one => judge.judge(one, value, at);
  let verdict: Verdict = 'fits';
  for (const one of listIn(schema.allOf)) {
    verdict = both(verdict, inner(one));
    if (isMisfit(verdict)) return verdict;
  }
  if (Array.isArray(schema.anyOf)) verdict = both(verdict, anyOf(schema.anyOf, inner, at));
  if (Array.isArray(schema.oneOf)) verdict = both(verdict, oneOf(schema.oneOf, inner, at));
  if (schema.not !== undefined) verdict = both(verdict, not(schema.not, inner, at));
  return schema.if === undefined ? verdict : both(verdict, conditional(schema, inner));
}

function anyOf(schemas: readonly unknown[], inner: Inner, at: ValuePlace | undefined): Verdict {
  const misfits: Misfit[] = [];
  let unknown = false;
  for (const schema of schemas) {
    const verdict = inner(schema);
    if (verdict === 'fits') return 'fits';
    if (isMisfit(verdict)) misfits.push(verdict);
    else unknown = true;
  }
  return unknown ? 'unknown' : noneFits(misfits, at);
}

function oneOf(schemas: readonly unknown[], inner: Inner, at: ValuePlace | undefined): Verdict {
  const verdicts = schemas.map(inner);
  const fitting = verdicts.filter(verdict => verdict === 'fits').length;
  if (fitting > 1) return { at, must: `fit one of ${schemas.length} alternatives, and fits ${fitting}` };
  if (verdicts.includes('unknown')) return 'unknown';
  return fitting === 1 ? 'fits' : noneFits(verdicts.filter(isMisfit), at);
}

/** More alternatives than these are counted, not named. */
const MOST_NAMED = 4;

function noneFits(misfits: readonly Misfit[], at: ValuePlace | undefined): Misfit {
  // A value that one alternative takes, but for something inside it, was most likely meant for that one.
  const deeper = misfits.filter(misfit => misfit.at !== at);
  const [only] = deeper.length === 1 ? deeper : misfits.length === 1 ? misfits : [];
  if (only) return only;
  const wanted = new Set(misfits.map(({ must }) => must));
  const named = deeper.length === 0 && wanted.size > 0 && wanted.size <= MOST_NAMED;
  const must = named ? [...wanted].join(' or ') : `fit one of ${misfits.length} alternatives`;
  return { at, must, is: named ? misfits[0]?.is : undefined };
}

function not(schema: unknown, inner: Inner, at: ValuePlace | undefined): Verdict {
  const verdict = inner(schema);
  if (verdict === 'unknown') return 'unknown';
  return verdict === 'fits' ? { at, must: 'not be what the schema rules out' } : 'fits';
}

function conditional(schema: JsonSchema, inner: Inner): Verdict {
  const verdict = inner(schema.if);
  if (verdict === 'unknown') return 'unknown';
  const next = verdict === 'fits' ? schema.then : schema.else;
  return next === undefined ? 'fits' : inner(next);
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
