import { type Complaint, isNode, JSON_TYPES, judgeEach, leadsSomewhere } from './complaint.ts';

const NOT_AT_ROOT = ['oneOf', 'allOf', 'anyOf'];
const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Draft 2020-12, an object at the root without alternatives, and plain names for the arguments. */
export function judgeAnthropic(schema: unknown): Complaint[] {
  return judgeEach(schema, ({ node, depth, complain }) => {
    if (depth === 0) {
      if (node.type !== 'object') complain('type: input should be object');
      for (const key of NOT_AT_ROOT) if (key in node) complain(`input_schema does not support ${key} at the top level`);
      for (const name of Object.keys(isNode(node.properties) ? node.properties : {})) {
        if (!PROPERTY.test(name)) complain(`property keys should match pattern ${PROPERTY.source}: ${name}`);
      }
    }
    draft202012(node, complain);
    if (node.$ref !== undefined && !leadsSomewhere(schema, node.$ref)) complain(`reference ${node.$ref} leads nowhere`);
  });
}

/** What the metaschema of the draft refuses, as far as schemas of tools go wrong in practice. */
export function draft202012(node: Record<string, unknown>, complain: (says: string) => void): void {
  const types = Array.isArray(node.type) ? node.type : node.type === undefined ? [] : [node.type];
  if (types.some(type => !JSON_TYPES.includes(type)) || new Set(types).size < types.length) complain('type is none');
  if (Array.isArray(node.items)) complain('items is a list, as in older drafts');
  for (const key of ['exclusiveMinimum', 'exclusiveMaximum', 'minimum', 'maximum', 'multipleOf']) {
    if (node[key] !== undefined && typeof node[key] !== 'number') complain(`${key} is no number`);
  }
  const { required } = node;
  if (required !== undefined && !(Array.isArray(required) && required.every(name => typeof name === 'string')))
    complain('required is no list of names');
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    if (node[key] !== undefined && !(Array.isArray(node[key]) && node[key].length > 0))
      complain(`${key} is no list of schemas`);
  }
  if (node.enum !== undefined && !Array.isArray(node.enum)) complain('enum is no list');
  for (const key of ['properties', '$defs'])
    if (node[key] !== undefined && !isNode(node[key])) complain(`${key} is no object`);
}
