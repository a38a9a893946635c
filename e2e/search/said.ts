/** Tools with descriptions of a known size, and what a model was told in answer to its calls. */
import { type Listed, tool } from '../tools/listing.ts';

/** So many tools whose descriptions are so many characters together. */
export function described(count: number, chars: number): Listed[] {
  const each = Math.floor(chars / count);
  return Array.from({ length: count }, (_, number) => {
    const words = `Looks up records of kind ${number}. `;
    const length = number === 0 ? chars - each * (count - 1) : each;
    return tool(`lookup_${number}`, {
      description: words.padEnd(length, 'x').slice(0, length),
      inputSchema: {
        type: 'object',
        properties: { id: { type: 'string' }, limit: { type: 'integer' } },
        required: ['id'],
      },
    });
  });
}

/** The three tools by which others are searched, and the one that reads on. */
export const FROZEN = ['find_tools', 'describe_tool', 'call_tool', 'read_result'];
