/** const and enum, in the values that are understood. */
import type { Step, Work } from '../adapt.ts';
import type { Place } from '../change.ts';
import { type JsonSchema, without } from '../json-schema.ts';
import { note } from '../note.ts';

export const settleChoices: Step = (node, work, at) => {
  let settled = node;
  if (settled.const !== undefined && !work.allows('const')) {
    const value = settled.const;
    settled = without(settled, 'const');
    if (settled.enum === undefined) settled = { ...settled, enum: [value] };
    work.changes.add(at, 'keyword-rewritten', 'const');
  }
  if (!Array.isArray(settled.enum)) return settled;
  if (settled.enum.length === 0) {
    work.changes.add(at, 'enum-values-dropped');
    return without(settled, 'enum');
  }
  return work.rules.enums === 'strings' ? onlyTexts(settled, work, at) : settled;
};

const MOST_TOLD = 20;

function onlyTexts(node: JsonSchema, { changes }: Work, at: Place | undefined): JsonSchema {
  const values = [...new Set(node.enum as unknown[])];
  const texts = values.filter(value => typeof value === 'string' && value !== '');
  const isText = node.type === 'string' || node.type === undefined;
  if (isText && texts.length === values.length) {
    return node.type === 'string' && texts.length === (node.enum as unknown[]).length
      ? node
      : { ...node, type: 'string', enum: texts };
  }
  if (isText && texts.length > 0) {
    changes.add(
      at,
      'enum-values-dropped',
      values
        .filter(value => !texts.includes(value))
        .map(shown)
        .join(', '),
    );
    return { ...node, type: 'string', enum: texts };
  }
  changes.add(at, 'enum-dropped');
  const told = values.slice(0, MOST_TOLD).map(shown).join(', ');
  return note(typeNamed(without(node, 'enum'), values), `One of: ${told}${values.length > MOST_TOLD ? ', …' : ''}.`);
}

/** Without its values a schema has to say itself what kind they are of. */
function typeNamed(node: JsonSchema, values: readonly unknown[]): JsonSchema {
  if (node.type !== undefined) return node;
  const kinds = ['integer', 'number', 'boolean', 'string'] as const;
  const type = kinds.find(kind =>
    values.every(value => (kind === 'integer' ? Number.isInteger(value) : typeof value === kind)),
  );
  return type === undefined ? node : { ...node, type };
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 100);
}
