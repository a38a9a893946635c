/** What a provider would say about a schema. The judges know the rules of a provider by themselves: not from its profile. */
export interface Complaint {
  /** A JSON pointer. */
  readonly at: string;
  readonly says: string;
}

export type Judge = (schema: unknown) => Complaint[];

type Node = Record<string, unknown>;

export interface Seen {
  readonly node: Node;
  /** The root is at 0. */
  readonly depth: number;
  /** How many objects it is inside of. */
  readonly objects: number;
  complain(says: string): void;
}

const SINGLE = [
  ...['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties', 'additionalItems'],
];
const LISTED = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'];
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

/** Shows every schema inside a schema to `look`, and gathers what it says. */
export function judgeEach(schema: unknown, look: (seen: Seen) => void): Complaint[] {
  const complaints: Complaint[] = [];
  const path: (string | number)[] = [];
  const complain = (says: string): void => {
    complaints.push({ at: path.map(step => `/${step}`).join(''), says });
  };
  const inside = (node: unknown, depth: number, objects: number, ...steps: (string | number)[]): void => {
    path.push(...steps);
    visit(node, depth, objects);
    path.length -= steps.length;
  };
  const visit = (node: unknown, depth: number, objects: number): void => {
    if (typeof node === 'boolean') return;
    if (!isNode(node)) return complain('is no schema');
    look({ node, depth, objects, complain });
    for (const key of Object.keys(node)) {
      const value = node[key];
      if (typeof value !== 'object' && typeof value !== 'boolean') continue;
      if (Array.isArray(value)) {
        if (LISTED.includes(key))
          for (const [index, one] of value.entries()) inside(one, depth + 1, objects, key, index);
      } else if (SINGLE.includes(key)) inside(value, depth + 1, objects, key);
      else if (NAMED.includes(key) && isNode(value)) {
        for (const name of Object.keys(value)) inside(value[name], depth + 1, objects + 1, key, name);
      }
    }
  };
  visit(schema, 0, 0);
  return complaints;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a reference leads to something in the same schema. */
export function leadsSomewhere(root: unknown, reference: unknown): boolean {
  if (reference === '#') return true;
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return false;
  let at: unknown = root;
  for (const step of reference.slice(2).split('/')) {
    const key = decodeURIComponent(step.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (typeof at !== 'object' || at === null || !(key in at)) return false;
    at = (at as Node)[key];
  }
  return true;
}

export const JSON_TYPES: readonly unknown[] = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
