/**
 * What somebody pasted, read as whatever it is: a file of any agent or a piece of one, in JSON, JSONC, TOML or YAML, or the
 * line that adds a server to an agent. Nothing is written, and no file is read.
 */
import { isObject } from '../../../base/json/is-object.ts';
import { dialectNamed, fittingDialects } from '../../dialects/registry.ts';
import { loadFormat } from '../../formats/format.ts';
import { refuseDuplicates } from '../../formats/problems.ts';
import { describeProblem } from '../../problem.ts';
import type { McpServerDef } from '../../schema/server-schema.ts';
import { asServerId } from '../../schema/server-words.ts';
import { type ReadResult, readConfig } from '../read.ts';
import { isAddLine, readAddLine } from './add-line.ts';
import { shellLines, shellWords } from './shell-words.ts';

export interface Pasted {
  /** What it was taken for: `a Codex file`. Undefined: nothing that is known. */
  readonly what: string | undefined;
  readonly servers: readonly { readonly id: string; readonly definition: McpServerDef }[];
  readonly problems: readonly string[];
}

export async function readPasted(text: string, { home }: { readonly home: string }): Promise<Pasted> {
  const lines = shellLines(text);
  if (lines.some(isAddLine)) return readLines(lines, home);
  const added = lines.find(line => line.includes('--add-mcp'));
  if (added) return readText(shellWords(added).find(word => word.startsWith('{')) ?? '', home);
  return readText(text, home);
}

async function readLines(lines: readonly string[], home: string): Promise<Pasted> {
  const read = await Promise.all(
    lines.map(async (line): Promise<Pasted> => {
      if (!isAddLine(line)) return { what: undefined, servers: [], problems: [`left out, it adds no server: ${line}`] };
      const { id, definition, leftOut } = readAddLine(line);
      const ours = 'transport' in definition;
      const value = ours
        ? { version: 1, servers: { [asServerId(id)]: definition } }
        : { mcpServers: { [id]: definition } };
      const found = await readText(JSON.stringify(value), home);
      return {
        ...found,
        problems: [...found.problems, ...leftOut.map(one => `left out, it means nothing here: ${one}`)],
      };
    }),
  );
  const count = read.filter(({ servers }) => servers.length > 0).length;
  return {
    what: count === 1 ? 'a line that adds a server' : `${count} lines that add servers`,
    servers: read.flatMap(({ servers }) => servers),
    problems: read.flatMap(({ problems }) => problems),
  };
}

async function readText(text: string, home: string): Promise<Pasted> {
  const file = fileFor(text);
  const format = await loadFormat(file.endsWith('.json') ? 'json' : file.endsWith('.toml') ? 'toml' : 'yaml');
  let written = text;
  let read = format.read(file, written);
  // A piece from the middle of a file: "fs": { … },
  if (!read.ok && /^\s*"/.test(text)) {
    written = `{${text.trim().replace(/,$/, '')}}`;
    read = format.read(file, written);
  }
  read = refuseDuplicates(read);
  if (!read.ok) return { what: undefined, servers: [], problems: read.problems.map(describeProblem) };
  const whole = asWholeFile(read.document.value);
  if (whole) return readAs('pasted.json', JSON.stringify(whole), home);
  return readAs(file, written, home);
}

async function readAs(file: string, text: string, home: string): Promise<Pasted> {
  const best = await bestReading(file, text, home);
  if (!best.ok) return { what: undefined, servers: [], problems: best.problems.map(describeProblem) };
  const { dialect, config, problems } = best.reading;
  const servers = Object.entries(config.servers).map(([id, definition]) => ({ id, definition }));
  const told = problems.filter(({ server, path }) => server !== undefined || path === '' || servers.length === 0);
  return {
    what: servers.length + told.length > 0 ? `a file of ${dialectNamed(dialect).title}` : undefined,
    servers,
    problems: told.map(describeProblem),
  };
}

/** Where it fits several dialects, the one that finds the most in it, with the least that is wrong. */
async function bestReading(file: string, text: string, home: string): Promise<ReadResult> {
  const options = { home, idFor: asServerId };
  const format = await loadFormat(file.endsWith('.toml') ? 'toml' : file.endsWith('.json') ? 'json' : 'yaml');
  const read = format.read(file, text);
  const fitting = read.ok ? fittingDialects(file, read.document.value) : [];
  const readings = await Promise.all(fitting.map(({ name }) => readConfig(file, text, { ...options, dialect: name })));
  const worth = (one: ReadResult): number =>
    one.ok
      ? Object.keys(one.reading.config.servers).length * 100 - one.reading.problems.length
      : Number.NEGATIVE_INFINITY;
  const [best] = readings.sort((a, b) => worth(b) - worth(a));
  return best ?? readConfig(file, text, options);
}

/** By its look: the name stands in what is told of problems. */
function fileFor(text: string): string {
  if (/^\s*(?:[{["]|\/[/*])/.test(text) && !/^\s*\[[\w."' -]+\]\s*$/m.test(text.split('\n', 1)[0] ?? ''))
    return 'pasted.json';
  return /^\s*\[{1,2}[\w."' -]+\]{1,2}\s*(#.*)?$/m.test(text) ? 'pasted.toml' : 'pasted.yaml';
}

/** One entry alone, or a map of entries, as a file that most programs would take. Undefined: it is more than that. */
function asWholeFile(value: unknown): object | undefined {
  if (!isObject(value)) return undefined;
  if (isEntry(value)) return { mcpServers: { [nameFor(value)]: value } };
  const entries = Object.values(value);
  return entries.length > 0 && entries.every(isEntry) ? { mcpServers: value } : undefined;
}

function isEntry(value: unknown): value is Record<string, unknown> {
  return isObject(value) && ['command', 'url', 'httpUrl', 'serverUrl'].some(key => typeof value[key] === 'string');
}

/** Its own name; else that of the package, the program or the host. */
function nameFor(entry: Record<string, unknown>): string {
  if (typeof entry.name === 'string') return entry.name;
  const address = [entry.url, entry.httpUrl, entry.serverUrl].find(one => typeof one === 'string');
  if (address !== undefined)
    return (URL.canParse(address as string) && new URL(address as string).hostname) || 'server';
  const args = Array.isArray(entry.args)
    ? entry.args.filter(arg => typeof arg === 'string' && !arg.startsWith('-'))
    : [];
  const named =
    String(args[0] ?? entry.command)
      .split(/[\\/]/)
      .at(-1) ?? '';
  return named.replace(/@[\w.^~-]+$/, '').replace(/\.\w+$/, '') || 'server';
}
