/** Looks for words in the files of a folder. */
import { glob, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { LineSearch } from './line-search.ts';
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
    const names = typeof args.files === 'string' ? args.files : '**/*';
    assertSimple(names);
    await using lines = new LineSearch(textArgument(args, 'pattern'), { maxHits: MOST_HITS, signal });
    const hits: string[] = [];
    const files = glob(names, {
      cwd: absolute,
      exclude: name => LEFT_OUT.has(name.split(/[\\/]/).at(-1) ?? ''),
    });
    for await (const name of files) {
      signal.throwIfAborted();
      const file = join(absolute, name);
      // A pattern or a link may lead out of the folder that was allowed, and keys are nobody's to find.
      const { inside, shown } = await placeOf(file, absolute);
      if (!inside || holdsSecrets(shown)) continue;
      for (const hit of await hitsIn(file, lines)) hits.push(`${relative(cwd, file) || name}:${hit}`);
      if (hits.length >= MOST_HITS) break;
    }
    if (hits.length === 0) return 'found nothing';
    const more = hits.length >= MOST_HITS ? `\n[more than ${MOST_HITS}: narrow it down]` : '';
    return cut(hits.slice(0, MOST_HITS).join('\n'), MOST_CHARS, 'Narrow it down.') + more;
  },
};

/** A pattern of names is matched where nothing can end it: `{1..9999999}` alone would fill the memory. */
function assertSimple(files: string): void {
  if (files.length > MAX_FILES_CHARS || /\.\.[^}]*\}|[!?+*@]\(/.test(files) || files.split('*').length > MAX_STARS)
    throw new NativeFailure("The argument 'files' takes names with *, **, ? and {a,b}, such as **/*.{ts,tsx}.");
}

const MAX_FILES_CHARS = 200;
const MAX_STARS = 12;

async function hitsIn(file: string, lines: LineSearch): Promise<string[]> {
  const text = await textOf(file);
  return text === undefined ? [] : lines.hits(text);
}

/** Undefined where it is no text of a common size. */
async function textOf(file: string): Promise<string | undefined> {
  try {
    const found = await stat(file);
    if (!found.isFile() || found.size > LARGEST_FILE_BYTES) return undefined;
    const content = await readFile(file);
    return content.subarray(0, 1000).includes(0) ? undefined : content.toString('utf8');
  } catch {
    // Gone meanwhile, or not ours to read: the search goes on.
    return undefined;
  }
}
