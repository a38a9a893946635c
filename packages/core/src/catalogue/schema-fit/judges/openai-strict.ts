import { type Complaint, isNode, judgeEach } from './complaint.ts';
import { judgeOpenAi } from './openai.ts';

const UNDERSTOOD = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'anyOf', '$ref', '$defs'],
  ...['definitions', '$schema', 'title', 'description', 'pattern', 'format', 'multipleOf', 'minimum', 'maximum'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'],
]);
const FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];

const MAX_PROPERTIES = 5000;
const MAX_LEVELS = 10;
const MAX_VALUES = 1000;
const MAX_NAME_CHARS = 120_000;
const MANY_VALUES = 250;
const MAX_CHARS_OF_MANY = 15_000;

/** Functions with `strict: true`: everything closed, everything required, and no more than so much of it. */
export function judgeOpenAiStrict(schema: unknown): Complaint[] {
  const sum = { properties: 0, values: 0, chars: 0, levels: 0 };
  const complaints = judgeEach(schema, ({ node, objects, complain }) => {
    for (const key of Object.keys(node)) if (!UNDERSTOOD.has(key)) complain(`${key} is not permitted`);
    if (node.type === undefined && !node.$ref && !node.anyOf && !node.enum && node.const === undefined)
      complain('needs a type');
    if (typeof node.format === 'string' && !FORMATS.includes(node.format))
      complain(`format ${node.format} is not supported`);
    if (node.type === 'object' || node.properties !== undefined) {
      const names = isNode(node.properties) ? Object.keys(node.properties) : [];
      if (node.additionalProperties !== false) complain('additionalProperties must be false');
      const required = Array.isArray(node.required) ? node.required : [];
      if (node.required === undefined) complain('required must be supplied');
      if (names.some(name => !required.includes(name)) || required.some(name => !names.includes(name)))
        complain('required must name every property');
      sum.properties += names.length;
      sum.chars += names.join('').length;
      sum.levels = Math.max(sum.levels, objects + 1);
    }
    if (Array.isArray(node.enum)) {
      const chars = node.enum.join('').length;
      sum.values += node.enum.length;
      sum.chars += chars;
      if (node.enum.length > MANY_VALUES && chars > MAX_CHARS_OF_MANY) complain('enum is too long');
    }
  });
  const whole = (says: string): Complaint => ({ at: '', says });
  if (sum.properties > MAX_PROPERTIES) complaints.push(whole(`more than ${MAX_PROPERTIES} properties`));
  if (sum.levels > MAX_LEVELS) complaints.push(whole(`more than ${MAX_LEVELS} levels`));
  if (sum.values > MAX_VALUES) complaints.push(whole(`more than ${MAX_VALUES} values`));
  if (sum.chars > MAX_NAME_CHARS) complaints.push(whole(`more than ${MAX_NAME_CHARS} characters of names and values`));
  return [...judgeOpenAi(schema), ...complaints];
}
