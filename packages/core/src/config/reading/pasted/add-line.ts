/**
 * `claude mcp add …` as a definition, and the same of other agents: Codex, Gemini, Qwen, Kimi, our own. They agree on most
 * words; what one of them alone knows is read where it cannot mean anything else. Pure.
 */
import { shellWords } from './shell-words.ts';

export interface AddLine {
  readonly id: string;
  /** Not judged yet. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** Options that have no meaning here. */
  readonly leftOut: readonly string[];
}

const ADDS = /^(?:\S*\/)?[\w.-]+(?:\s+[\w.@/-]+)?\s+mcp\s+(add|add-json)\s/;

export function isAddLine(line: string): boolean {
  return ADDS.test(line);
}

const LONG: Readonly<Record<string, string>> = {
  '-t': '--transport',
  '-e': '--env',
  '-H': '--header',
  '-s': '--scope',
};

/** Options that say nothing of the server itself: where it was to be written, and for whom. */
const IGNORED = new Set(['--scope', '--config', '--callback-port']);
const FLAGS = new Set(['--trust', '--replace', '--json']);

export function readAddLine(line: string): AddLine {
  const words = shellWords(line);
  const at = words.indexOf('mcp');
  const rest = words.slice(at + 2);
  if (words[at + 1] === 'add-json') return readAddJson(rest);
  const options = new Map<string, string[]>();
  const plain: string[] = [];
  const leftOut: string[] = [];
  const isRemote = (): boolean => isAddress(plain[1] ?? '') || options.has('--url');
  for (let index = 0; index < rest.length; index++) {
    const word = rest[index] as string;
    // What follows the program is the program's, whatever it looks like.
    const isOwn = plain.length >= 2 && !isRemote();
    if (word === '--' && !isOwn) {
      plain.push(...rest.slice(index + 1));
      break;
    }
    if (isOwn || !/^-{1,2}[a-zA-Z]/.test(word)) {
      plain.push(word);
      continue;
    }
    const [, written = word, joined] = /^(--?[\w-]+)=(.*)$/s.exec(word) ?? [];
    const name = LONG[written] ?? written;
    if (FLAGS.has(name)) options.set(name, ['']);
    else if (!KNOWN.has(name) && !IGNORED.has(name)) leftOut.push(word);
    else {
      const values = [joined ?? rest[++index] ?? ''];
      // Some take several after one word: --env A=1 B=2.
      while (name === '--env' && /^[A-Za-z_]\w*=/.test(rest[index + 1] ?? '')) values.push(rest[++index] as string);
      options.set(name, [...(options.get(name) ?? []), ...values]);
    }
  }
  const [id = '', ...program] = plain;
  return { id, definition: definitionFrom(program, options), leftOut };
}

const KNOWN = new Set([
  ...['--transport', '--type', '--env', '--header', '--url', '--command', '--arg', '--args', '--cwd', '--timeout'],
  ...['--bearer-token-env-var', '--description', '--include-tools', '--exclude-tools', '--mode'],
]);

type Options = ReadonlyMap<string, readonly string[]>;

function definitionFrom([first, ...more]: readonly string[], options: Options): Record<string, unknown> {
  const one = (name: string): string | undefined => options.get(name)?.at(-1);
  const word = one('--transport') ?? one('--type');
  const url = one('--url') ?? (first !== undefined && isAddress(first) && word !== 'stdio' ? first : undefined);
  const common = {
    ...(options.has('--trust') ? { trust: 'trusted' } : {}),
    ...(one('--mode') === undefined ? {} : { mode: one('--mode') }),
    ...filled('tools', { ...namesIn('allow', one('--include-tools')), ...namesIn('deny', one('--exclude-tools')) }),
    ...(one('--timeout') === undefined ? {} : { request_timeout_ms: Number(one('--timeout')) }),
    ...(one('--description') === undefined ? {} : { meta: { description: one('--description') } }),
  };
  const env = pairsOf(options.get('--env') ?? [], '=');
  if (url !== undefined) {
    const bearer = one('--bearer-token-env-var');
    return {
      transport: word === undefined || /^streamable/.test(word) ? 'http' : word,
      url,
      ...filled('headers', pairsOf(options.get('--header') ?? [], ':')),
      ...(bearer === undefined ? {} : { bearer_token_env_var: bearer }),
      ...common,
    };
  }
  const args = [...more, ...(options.get('--arg') ?? []), ...(options.get('--args') ?? []).flatMap(shellWords)];
  const command = one('--command') ?? first;
  const whole = args.length === 0 && command !== undefined ? shellWords(command) : [];
  // A whole line as one word, as Droid takes it.
  const [program = command, ...its] = whole.length > 1 ? whole : [];
  const cwd = one('--cwd');
  return {
    transport: 'stdio',
    ...(program === undefined ? {} : { command: program }),
    ...(args.length + its.length > 0 ? { args: [...its, ...args] } : {}),
    ...(cwd === undefined ? {} : { cwd }),
    ...filled('env', env),
    ...common,
  };
}

/** The entry stands there as JSON already. */
function readAddJson(rest: readonly string[]): AddLine {
  const [id = '', text = ''] = rest.filter(
    (word, index) => !word.startsWith('-') && !/^(-s|--scope)$/.test(rest[index - 1] ?? ''),
  );
  try {
    return { id, definition: JSON.parse(text) as Record<string, unknown>, leftOut: [] };
  } catch {
    return { id, definition: {}, leftOut: [text] };
  }
}

function pairsOf(texts: readonly string[], sign: string): Record<string, string> {
  return Object.fromEntries(
    texts.flatMap(text => {
      const at = text.indexOf(sign);
      return at > 0 ? [[text.slice(0, at).trim(), text.slice(at + 1).trim()]] : [];
    }),
  );
}

function namesIn(key: string, list: string | undefined): Record<string, string[]> {
  return list === undefined ? {} : { [key]: list.split(',').map(name => name.trim()) };
}

function filled(key: string, values: object): object {
  return Object.keys(values).length > 0 ? { [key]: values } : {};
}

function isAddress(word: string): boolean {
  return /^(https?|wss?):\/\//i.test(word);
}
