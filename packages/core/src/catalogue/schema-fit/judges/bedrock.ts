import { draft202012 } from './anthropic.ts';
import { type Complaint, judgeEach } from './complaint.ts';

const NOT_AT_ROOT = ['oneOf', 'allOf', 'anyOf', '$ref'];

/** The root is an object, says Bedrock itself; the models behind it do not all follow references. */
export function judgeBedrock(schema: unknown): Complaint[] {
  return judgeEach(schema, ({ node, depth, complain }) => {
    if (depth === 0 && node.type !== 'object') complain('json.type must be one of the following: object');
    if (depth === 0) for (const key of NOT_AT_ROOT) if (key in node) complain(`${key} at the root`);
    if (node.$ref !== undefined || node.$defs !== undefined) complain('references are not followed');
    draft202012(node, complain);
  });
}
