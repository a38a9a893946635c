import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type NativeTool, textArgument } from './native-tool.ts';
import { placeOf } from './paths.ts';

export const write: NativeTool = {
  name: 'write',
  description: 'Writes a whole text file, and the folders it needs. What was in it is gone.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, content: { type: 'string' } },
    required: ['path', 'content'],
  },
  readOnly: false,
  async run(args, { cwd, files }, signal) {
    const { absolute, shown } = await placeOf(textArgument(args, 'path'), cwd);
    const content = textArgument(args, 'content');
    await mkdir(dirname(absolute), { recursive: true });
    await files.write(absolute, Buffer.from(content), signal);
    return `wrote ${shown} (${content.length} characters)`;
  },
};
