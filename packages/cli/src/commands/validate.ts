import { resolve } from 'node:path';
import { describeProblem, loadMcpConfig, type Problem, readConfig, readText } from '@junctor/core/config-read';
import { isJunctorError } from '@junctor/core/light';
import { defineCommand } from '../command.ts';
import { type Context, dialectOf, loadOptions } from '../context.ts';

export const validate = defineCommand({
  details: `Without a file it checks every layer that applies here. It reads files only: whether variables are set and
programs exist is not its question.`,
  async run(context, { words }) {
    return words.length > 0
      ? report(context, await Promise.all(words.map(file => checkFile(context, file))))
      : validateLayers(context);
  },
});

interface Checked {
  readonly file: string;
  readonly dialect: string | null;
  readonly servers: readonly string[];
  readonly problems: readonly Problem[];
}

/** Every layer that applies here. Also what `--validate-config` does in place of any command. */
export async function validateLayers(context: Context): Promise<number> {
  const { layers, problems, notices } = await loadMcpConfig({ ...loadOptions(context), strict: false });
  const sources = new Set([...layers.map(layer => layer.source), ...problems.map(problem => problem.file)]);
  const checked = [...sources].map((source): Checked => {
    const layer = layers.find(one => one.source === source);
    return {
      file: source,
      dialect: layer?.dialect ?? null,
      servers: Object.keys(layer?.config.servers ?? {}),
      problems: problems.filter(problem => problem.file === source),
    };
  });
  const code = await report(context, checked);
  if (!context.global.json) for (const notice of notices) context.talk(`note: ${notice}`);
  return code;
}

async function checkFile(context: Context, name: string): Promise<Checked> {
  const file = resolve(context.surroundings.cwd, name);
  const read = await readText(file, true, { isNamed: true }).catch((error: unknown) => unreadable(file, error));
  if (typeof read === 'object') return read;
  const text = read ?? '';
  const result = await readConfig(file, text, { dialect: dialectOf(context), home: context.surroundings.home });
  if (!result.ok) return { file, dialect: null, servers: [], problems: result.problems };
  const { dialect, config, problems } = result.reading;
  return { file, dialect, servers: Object.keys(config.servers), problems };
}

/** Told like any other problem: the files beside it are looked at all the same. */
function unreadable(file: string, error: unknown): Checked {
  if (!isJunctorError(error, 'config_unreadable')) throw error;
  const { why = error.message, hint = '' } = error;
  const fix = `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`;
  const problem = { file, path: '', message: `The file cannot be read: ${why}.`, fix };
  return { file, dialect: null, servers: [], problems: [problem] };
}

async function report(context: Context, checked: readonly Checked[]): Promise<number> {
  const problems = checked.flatMap(one => one.problems);
  const lines = checked.map(({ file, dialect, servers, problems: own }) => {
    const verdict = own.length === 0 ? 'valid' : `${own.length} problem${own.length === 1 ? '' : 's'}`;
    return `${file}: ${verdict} (${dialect ?? 'unknown format'}, ${servers.length} server${servers.length === 1 ? '' : 's'})`;
  });
  context.answer({
    json: { valid: problems.length === 0, files: checked },
    text: lines.length === 0 ? 'no config found' : lines.join('\n'),
  });
  if (!context.global.json) for (const problem of problems) context.talk(describeProblem(problem));
  return problems.length === 0 ? 0 : 1;
}
