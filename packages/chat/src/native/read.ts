import { readFile } from 'node:fs/promises';
import { cut, type NativeTool, numberArgument, textArgument } from './native-tool.ts';
import { placeOf } from './paths.ts';
import { assertText } from './replace-text.ts';

const MOST_CHARS = 60_000;
const MOST_LINES = 2000;

export const read: NativeTool = {
  name: 'read',
  description: 'Reads a text file. Lines are numbered from 1; give `from` and `lines` to read a part.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Relative to the working directory, or absolute' },
      from: { type: 'integer', description: 'The first line' },
      lines: { type: 'integer', description: `How many (default: ${MOST_LINES})` },
    },
    required: ['path'],
  },
  readOnly: true,
  async run(args, { cwd }, signal) {
    const { absolute } = await placeOf(textArgument(args, 'path'), cwd);
    const from = Math.max(1, numberArgument(args, 'from') ?? 1);
    const most = Math.max(1, numberArgument(args, 'lines') ?? MOST_LINES);
    const content = await readFile(absolute, { signal });
    assertText(content);
    const all = content.toString('utf8').split(/\r?\n/);
    const chosen = all.slice(from - 1, from - 1 + most);
    const numbered = chosen.map((line, index) => `${from + index}\t${line}`).join('\n');
    const rest = all.length - (from - 1) - chosen.length;
    const more = rest > 0 ? `\n[${rest} more lines: read on with from ${from + chosen.length}]` : '';
    return cut(numbered, MOST_CHARS, 'Read fewer lines at once.') + more;
  },
};
