import { readFile, writeFile } from 'node:fs/promises';
import { NativeFailure, type NativeTool, textArgument } from './native-tool.ts';
import { placeOf } from './paths.ts';

export const edit: NativeTool = {
  name: 'edit',
  description: 'Replaces a piece of a text file. `old` must stand there exactly once, unless `all` is true.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      old: { type: 'string', description: 'With enough around it to be found once' },
      new: { type: 'string' },
      all: { type: 'boolean', description: 'Replace it wherever it stands' },
    },
    required: ['path', 'old', 'new'],
  },
  readOnly: false,
  async run(args, { cwd }, signal) {
    const { absolute, shown } = await placeOf(textArgument(args, 'path'), cwd);
    const [old, fresh] = [textArgument(args, 'old'), textArgument(args, 'new')];
    if (old === '') throw new NativeFailure("'old' is empty: use write for a new file.");
    const before = await readFile(absolute, { encoding: 'utf8', signal });
    const pieces = before.split(old);
    const found = pieces.length - 1;
    if (found === 0) throw new NativeFailure(`'old' does not stand in ${shown}. Read the file again.`);
    if (found > 1 && args.all !== true)
      throw new NativeFailure(`'old' stands ${found} times in ${shown}. Give more of what is around it, or set all.`);
    await writeFile(absolute, pieces.join(fresh), { signal });
    return `replaced ${found === 1 ? 'one place' : `${found} places`} in ${shown}`;
  },
};
