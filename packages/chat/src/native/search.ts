/** Looks for words in the files of a folder. */
import { glob, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { cut, MOST_CHARS, NativeFailure, type NativeTool, textArgument } from './native-tool.ts';
import { holdsSecrets, placeOf } from './paths.ts';

const MOST_HITS = 200;
/** Larger files are logs, data or built programs. */
const LARGEST_FILE_BYTES = 1_000_000;
const LEFT_OUT = new Set(['node_modules', '.git', 'dist', 'build', 'target', '.venv', '__pycache__']);

export const search: NativeTool = {
  name: 'search',
  description:
    'Finds lines by a regular expression (as in JavaScript). Gives path, line number and line. Files with keys are left out.',
  inputSchema: {
    type: 'object',
    properties: {
      pattern: { type: 'string' },
      path: { type: 'string', description: 'A folder (default: the working directory)' },
      files: { type: 'string', description: 'Only these, such as **/*.ts' },
    },
    required: ['pattern'],
  },
  readOnly: true,
  async run(args, { cwd }, signal) {
    const { absolute } = await placeOf(typeof args.path === 'string' ? args.path : '.', cwd);
    const pattern = expression(textArgument(args, 'pattern'));
    const hits: string[] = [];
    const files = glob(typeof args.files === 'string' ? args.files : '**/*', {
      cwd: absolute,
      exclude: name => LEFT_OUT.has(name.split(/[\\/]/).at(-1) ?? ''),
    });
    for await (const name of files) {
      signal.throwIfAborted();
      const file = join(absolute, name);
      // A pattern or a link may lead out of the folder that was allowed, and keys are nobody's to find.
      const { inside, shown } = await placeOf(file, absolute);
      if (!inside || holdsSecrets(shown)) continue;
      for (const hit of await hitsIn(file, pattern)) hits.push(`${relative(cwd, file) || name}:${hit}`);
      if (hits.length >= MOST_HITS) break;
    }
    if (hits.length === 0) return 'found nothing';
    const more = hits.length >= MOST_HITS ? `\n[more than ${MOST_HITS}: narrow it down]` : '';
    return cut(hits.slice(0, MOST_HITS).join('\n'), MOST_CHARS, 'Narrow it down.') + more;
  },
};

function expression(source: string): RegExp {
  try {
    return new RegExp(source);
  } catch (error) {
    throw new NativeFailure((error as Error).message);
  }
}

async function hitsIn(file: string, pattern: RegExp): Promise<string[]> {
  try {
    const found = await stat(file);
    if (!found.isFile() || found.size > LARGEST_FILE_BYTES) return [];
    const content = await readFile(file);
    if (content.subarray(0, 1000).includes(0)) return [];
    const lines = content.toString('utf8').split('\n');
    return lines.flatMap((line, index) => (pattern.test(line) ? [`${index + 1}:${line.slice(0, 300)}`] : []));
  } catch {
    // Gone meanwhile, or not ours to read: the search goes on.
    return [];
  }
}
