import { readdir } from 'node:fs/promises';
import { cut, MOST_CHARS, type NativeTool } from './native-tool.ts';
import { placeOf } from './paths.ts';

export const list: NativeTool = {
  name: 'list',
  description: 'Lists a folder. Folders end with a slash.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string', description: 'Default: the working directory' } },
  },
  readOnly: true,
  async run(args, { cwd }) {
    const { absolute, shown } = await placeOf(typeof args.path === 'string' ? args.path : '.', cwd);
    const entries = await readdir(absolute, { withFileTypes: true });
    const names = entries.map(entry => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
    return names.length === 0 ? `${shown} is empty` : cut(names.join('\n'), MOST_CHARS, 'List a folder inside it.');
  },
};
