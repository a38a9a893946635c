import { NativeFailure, type NativeTool, textArgument } from './native-tool.ts';
import { placeOf } from './paths.ts';
import { replaceText } from './replace-text.ts';

export const edit: NativeTool = {
  name: 'edit',
  description: 'Replaces a piece of a text file. `old` must be in it exactly once, unless `all` is true.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      old: { type: 'string', description: 'With enough around it to be found once' },
      new: { type: 'string' },
      all: { type: 'boolean', description: 'Replace every occurrence' },
    },
    required: ['path', 'old', 'new'],
  },
  readOnly: false,
  async run(args, { cwd, files }, signal) {
    const { absolute, shown } = await placeOf(textArgument(args, 'path'), cwd);
    const wanted = { old: textArgument(args, 'old'), new: textArgument(args, 'new'), all: args.all === true };
    if (wanted.old === '') throw new NativeFailure("'old' is empty: use write for a new file.");
    let places = 0;
    const replace = (before: Buffer | undefined): Buffer => {
      if (!before) throw new NativeFailure(`There is no file ${shown}.`);
      const replaced = replaceText(before, wanted, shown);
      places = replaced.places;
      return replaced.bytes;
    };
    await files.edit(absolute, replace, signal);
    return `replaced ${places === 1 ? 'one place' : `${places} places`} in ${shown}`;
  },
};
