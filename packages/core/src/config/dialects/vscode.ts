/** VS Code: `servers` in `mcp.json` of a workspace or a profile, and `inputs` that it asks the person for. */

import { basename, dirname, join, sep } from 'node:path';
import { isObject } from '../../base/json/is-object.ts';
import type { Surroundings } from '../sources/places.ts';
import { literal } from '../template.ts';
import type { Dialect, DialectProblem, ReadContext, ReadServer } from './dialect.ts';
import {
  type EntryReader,
  type Expand,
  entriesAt,
  mapStrings,
  misshapen,
  readOAuth,
  takeWay,
  valueAt,
} from './entry-reader.ts';
import { commonEntry, defined, requireWords, writeEntries, writeOAuth } from './entry-writer.ts';
import { fromSyntax } from './variable-syntax.ts';

const SYNTAX = 'dollar-env';
const OAUTH = { clientId: 'client_id' };
const WORKSPACE_FILE = /(^|[/\\])\.vscode[/\\]mcp\.json$/;
const PROFILE_FILE = /[/\\]User[/\\](profiles[/\\][^/\\]+[/\\])?mcp\.json$/;

export const vscode: Dialect = {
  name: 'vscode',
  title: 'VS Code',
  format: 'json',
  recognise(file, value) {
    if (!isObject(value)) return false;
    if (WORKSPACE_FILE.test(file) || PROFILE_FILE.test(file)) return true;
    return isObject(value.servers) && Array.isArray(value.inputs);
  },
  read(value, context) {
    const readers = entriesAt(value, ['servers']);
    const problems = readers.flatMap(onlyForTheEditor);
    const refused = new Set(problems.map(problem => problem.server));
    const expand = editorText(context, WORKSPACE_FILE);
    const servers = readers.filter(reader => !refused.has(reader.id)).map(reader => readServer(reader, expand));
    return {
      frame: {},
      servers,
      problems: [...misshapen(value, ['servers'], 'an object'), ...otherMap(value), ...problems],
    };
  },
  write(value, changes) {
    const inputs = inputsOf(value);
    return writeEntries(
      value,
      ['servers'],
      changes,
      ({ definition, old }) => {
        requireWords(definition, { transports: ['stdio', 'http', 'streamable_http', 'sse'] });
        const { transport } = definition;
        const type = transport === 'streamable_http' ? 'http' : transport;
        const oauth =
          transport === 'stdio'
            ? undefined
            : writeOAuth(valueAt(old, ['oauth']), definition.oauth, OAUTH, { scopes: 'list', syntax: 'none' });
        return defined({ type, ...(editorReferences(commonEntry(definition, SYNTAX), inputs) as object), oauth });
      },
      ['oauth'],
    );
  },
  files: from => [
    { scope: 'user', path: join(applicationFolder(from), 'Code', 'User', 'mcp.json') },
    { scope: 'project', path: join(from.cwd, '.vscode', 'mcp.json') },
  ],
};

function readServer(reader: EntryReader, expand: Expand): ReadServer {
  const transport = reader.entry.type ?? (reader.has('url') && !reader.has('command') ? 'http' : 'stdio');
  takeWay(reader.set('transport', transport, 'type'), transport, expand);
  if (transport === 'stdio') return reader.take('env', 'env', env => expand(asTexts(env))).done();
  return reader.take('oauth', 'oauth', value => readOAuth(value, OAUTH, text => mapStrings(text, literal))).done();
}

/** Numbers are as good as texts to it; null takes away an inherited variable, and from us nothing is inherited. */
function asTexts(env: unknown): unknown {
  if (!isObject(env)) return env;
  const kept = Object.entries(env).filter(([, value]) => value !== null);
  return Object.fromEntries(kept.map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]));
}

/** The mistake most people make: nearly every other program calls it `mcpServers`. */
function otherMap(value: unknown): DialectProblem[] {
  if (valueAt(value, ['servers']) !== undefined || !isObject(valueAt(value, ['mcpServers']))) return [];
  const message = "VS Code reads 'servers', and ignores 'mcpServers'.";
  return [{ path: ['mcpServers'], message, expected: 'servers', fix: "Rename it to 'servers'." }];
}

function onlyForTheEditor(reader: EntryReader): DialectProblem[] {
  const found = /\$\{(command|config):[^}]*\}/.exec(JSON.stringify(reader.entry));
  if (!found) return [];
  const message = `Only VS Code itself knows ${found[0]}, which server '${reader.id}' needs.`;
  return [
    { path: reader.pathOf('command'), server: reader.id, message, fix: `Write the text itself, or \${env:NAME}.` },
  ];
}

/**
 * Texts as VS Code and its kin write them. Folders are known from where the file lies. What is not known, the workspace of
 * a file that belongs to no project and the answers VS Code asks for, becomes a variable that nobody has set: so the server
 * is reported as lacking it, instead of being started with the wrong text.
 */
export function editorText({ file, home }: ReadContext, projectFile: RegExp): Expand {
  const folder = dirname(dirname(file));
  const project = projectFile.test(file) && folder !== home ? folder : undefined;
  const known: Readonly<Record<string, string | undefined>> = {
    userHome: home,
    workspaceFolder: project,
    workspaceFolderBasename: project && basename(project),
    pathSeparator: sep,
    '/': sep,
  };
  const resolve = (whole: string, name: string): string => {
    if (name.startsWith('input:')) return `\${${variableOf(name.slice('input:'.length))}}`;
    if (!Object.hasOwn(known, name)) return whole;
    return known[name] === undefined ? `\${${name}}` : literal(known[name]);
  };
  // By then all that is no `${env:NAME}` is marked as literal, with a second dollar sign.
  const translate = (text: string): string => fromSyntax(text, SYNTAX).replace(/\$\$\{([^}]*)\}/g, resolve);
  return value => mapStrings(value, translate);
}

/** The way back: variables that stand for words of the editor. */
export function editorReferences(value: unknown, inputs: ReadonlyMap<string, string> = new Map()): unknown {
  const own = new Map([
    ...inputs,
    ['workspaceFolder', 'workspaceFolder'],
    ['workspaceFolderBasename', 'workspaceFolderBasename'],
  ]);
  const translate = (text: string): string =>
    text.replace(/\$\{env:(\w+)\}/g, (whole, name: string) => (own.has(name) ? `\${${own.get(name)}}` : whole));
  return mapStrings(value, translate);
}

function variableOf(input: string): string {
  return `INPUT_${input.replace(/\W/g, '_')}`;
}

/** What a file asks the person for, by the variables they are to us. */
function inputsOf(value: unknown): Map<string, string> {
  const inputs = valueAt(value, ['inputs']);
  const ids = (Array.isArray(inputs) ? inputs : [])
    .map(input => valueAt(input, ['id']))
    .filter(id => typeof id === 'string');
  return new Map(ids.map(id => [variableOf(id), `input:${id}`]));
}

/** Where desktop programs keep their files. */
export function applicationFolder({ home, env, platform }: Surroundings): string {
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME || join(home, '.config');
}
