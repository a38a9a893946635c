import { type Complaint, isNode, judgeEach } from './complaint.ts';

/** The fields of Gemini's `Schema`; any other is an unknown name, which fails the request. */
const FIELDS = new Set([
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'maxItems', 'minItems', 'properties', 'required'],
  ...['minProperties', 'maxProperties', 'minLength', 'maxLength', 'pattern', 'example', 'anyOf', 'propertyOrdering'],
  ...['default', 'items', 'minimum', 'maximum'],
]);
const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean'];
const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'minProperties', 'maxProperties'],
  array: ['items', 'minItems', 'maxItems'],
  string: ['enum', 'minLength', 'maxLength', 'pattern'],
};
const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;

/** `parameters` of a function declaration. */
export function judgeGemini(schema: unknown): Complaint[] {
  return judgeEach(schema, ({ node, depth, complain }) => {
    if (depth === 0 && node.type !== 'object') complain('parameters must be of type OBJECT');
    for (const key of Object.keys(node)) if (!FIELDS.has(key)) complain(`unknown name "${key}"`);
    if (node.anyOf !== undefined) {
      if (!Array.isArray(node.anyOf) || node.anyOf.length === 0) complain('any_of is empty');
      if (Object.keys(node).length > 1) complain('when using any_of, it must be the only field set');
      return;
    }
    if (Array.isArray(node.type)) complain('type: proto field is not repeating, cannot start list');
    else if (!TYPES.includes(node.type as string)) complain("didn't specify the schema type field");
    judgeFields(node, complain);
  });
}

function judgeFields(node: Record<string, unknown>, complain: (says: string) => void): void {
  const type = node.type as string;
  for (const [only, keys] of Object.entries(OF_TYPE)) {
    for (const key of keys)
      if (node[key] !== undefined && type !== only) complain(`${key}: only allowed for ${only.toUpperCase()} type`);
  }
  if (type === 'array' && !isNode(node.items)) complain('items: missing field');
  if (node.enum !== undefined) {
    const values = Array.isArray(node.enum) ? node.enum : [undefined];
    if (values.length === 0 || values.some(value => typeof value !== 'string' || value === ''))
      complain('enum: cannot be empty, or no texts');
  }
  if (type === 'string' && node.format !== undefined && !['enum', 'date-time'].includes(node.format as string))
    complain("format: only 'enum' and 'date-time' are supported for STRING type");
  if (node.nullable !== undefined && typeof node.nullable !== 'boolean') complain('nullable is no boolean');
  const names = isNode(node.properties) ? Object.keys(node.properties) : [];
  if (node.properties !== undefined && names.length === 0) complain('properties: should be non-empty for OBJECT type');
  for (const name of names) if (!NAME.test(name)) complain(`parameter name ${name}`);
  const required = Array.isArray(node.required) ? node.required : [];
  for (const name of required) if (!names.includes(name)) complain(`required: property ${name} is not defined`);
}
