/** `$ref`: followed inside the schema and nowhere else. What leads out of it, or nowhere, is never fetched. */
import { isObject } from '../../base/json/is-object.ts';
import { below, type Changes, type Place } from './change.ts';
import { type JsonSchema, mapChildren, without } from './json-schema.ts';

/** Definitions that refer to each other grow without end when they are written out: beyond this they are cut. */
const MAX_NODES = 1500;
const MAX_NESTED = 8;

const DEFINITIONS = /^#\/(\$defs|definitions)\/[^/]+$/;

/**
 * `inline`: what a reference names is put in its place. `keep`: references to the root and to definitions stay; any other is
 * put in its place too, since where it leads may not be there any more once the schema was adapted.
 */
export function settleReferences(root: JsonSchema, mode: 'keep' | 'inline', changes: Changes): JsonSchema {
  const settled = new Settling(root, mode, changes).visit(root, undefined, []) as JsonSchema;
  if (mode === 'keep') return settled;
  const bare = withoutDefinitions(settled);
  if (bare !== settled) changes.add(undefined, 'definitions-dropped');
  return bare;
}

/** What a reference inside this schema names; undefined where it leads out of it, or nowhere. */
export function resolveReference(root: JsonSchema, reference: string): unknown {
  if (reference === '#' || reference === '#/') return root;
  if (!reference.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const step of reference.slice(2).split('/').map(unescaped)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string, unknown>)[step];
  }
  return isObject(at) || typeof at === 'boolean' ? at : undefined;
}

class Settling {
  readonly #root: JsonSchema;
  readonly #mode: 'keep' | 'inline';
  readonly #changes: Changes;
  #nodes = 0;

  constructor(root: JsonSchema, mode: 'keep' | 'inline', changes: Changes) {
    this.#root = root;
    this.#mode = mode;
    this.#changes = changes;
  }

  /** `inside`: the references that led here. */
  visit(schema: unknown, at: Place | undefined, inside: readonly string[]): unknown {
    if (!isObject(schema)) return schema;
    this.#nodes++;
    const { $ref } = schema;
    return typeof $ref === 'string' ? this.#follow(schema, $ref, at, inside) : this.#inside(schema, at, inside);
  }

  #inside(schema: JsonSchema, at: Place | undefined, inside: readonly string[]): JsonSchema {
    return mapChildren(schema, (child, key, name) => {
      // Definitions are looked at from where they are used, with what is known there.
      const unused = this.#mode === 'inline' && (key === '$defs' || key === 'definitions');
      return unused ? child : this.visit(child, below(at, key, name), inside);
    });
  }

  #follow(schema: JsonSchema, reference: string, at: Place | undefined, inside: readonly string[]): unknown {
    const target = resolveReference(this.#root, reference);
    const stays = this.#mode === 'keep' && (reference === '#' || DEFINITIONS.test(reference));
    if (stays && target !== undefined) return this.#inside(schema, at, inside);
    const beside = this.visit(without(schema, '$ref'), at, inside) as JsonSchema;
    if (target === undefined) {
      this.#changes.add(at, 'reference-dropped', reference);
      return beside;
    }
    const circular = reference === '#' || inside.includes(reference) || inside.length >= MAX_NESTED;
    if (circular || this.#nodes > MAX_NODES) {
      this.#changes.add(at, 'reference-cut', reference);
      return { ...outline(target), ...beside };
    }
    this.#changes.add(at, 'reference-inlined', reference);
    const named = this.visit(target, at, [...inside, reference]);
    return isObject(named) ? { ...named, ...beside } : Object.keys(beside).length > 0 ? beside : named;
  }
}

/** What can be said of a schema without looking into it. */
function outline(schema: unknown): JsonSchema {
  if (!isObject(schema)) return {};
  const { type, description } = schema;
  const known = type ?? (isObject(schema.properties) ? 'object' : undefined);
  return {
    ...(known === undefined ? {} : { type: known }),
    ...(typeof description === 'string' ? { description } : {}),
  };
}

function withoutDefinitions(schema: JsonSchema): JsonSchema {
  const bare = '$defs' in schema || 'definitions' in schema ? without(schema, '$defs', 'definitions') : schema;
  return mapChildren(bare, child => (isObject(child) ? withoutDefinitions(child) : child));
}

function unescaped(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
