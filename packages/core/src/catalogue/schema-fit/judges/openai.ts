import { type Complaint, JSON_TYPES, judgeEach, leadsSomewhere } from './complaint.ts';

const NOT_AT_ROOT = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'];

/** Functions that are not strict: an object at the root without alternatives, and items for every array. */
export function judgeOpenAi(schema: unknown): Complaint[] {
  return judgeEach(schema, ({ node, depth, complain }) => {
    if (depth === 0) {
      if (node.type !== 'object') complain('schema must be a JSON Schema of type object');
      for (const key of NOT_AT_ROOT) if (key in node) complain(`${key} is not allowed at the root`);
    }
    const types = Array.isArray(node.type) ? node.type : node.type === undefined ? [] : [node.type];
    for (const type of types) if (!JSON_TYPES.includes(type)) complain(`${JSON.stringify(type)} is no type`);
    if (types.includes('array') && node.items === undefined) complain('array schema missing items');
    if (Array.isArray(node.items)) complain('items is not an object or a boolean');
    if (Array.isArray(node.enum) && node.enum.length === 0) complain('enum is empty');
    if (node.$ref !== undefined && !leadsSomewhere(schema, node.$ref)) complain(`reference ${node.$ref} leads nowhere`);
  });
}
