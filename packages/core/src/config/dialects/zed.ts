/** Zed: `context_servers` in `settings.json`. Nothing is expanded there, and times are whole seconds. */

import { join } from 'node:path';
import { isObject } from '../../base/json/is-object.ts';
import type { Surroundings } from '../sources/places.ts';
import { literal } from '../template.ts';
import type { AgentFile, Dialect, DialectProblem, ReadServer } from './dialect.ts';
import { EntryReader, entriesAt, mapStrings, misshapen, readOAuth, seconds, takeWay, valueAt } from './entry-reader.ts';
import {
  commonEntry,
  defined,
  requireWords,
  type ToEntry,
  type Words,
  wholeSeconds,
  writeEntries,
  writeOAuth,
} from './entry-writer.ts';
import { applicationFolder } from './vscode.ts';

const OAUTH = { client_id: 'client_id', client_secret: 'client_secret' };
const PLACE = /(^|[/\\])\.?zed[/\\]settings\.json$/i;
const WORDS: Words = { transports: ['stdio', 'http', 'streamable_http'], off: true, cwd: false };

export const zed: Dialect = {
  name: 'zed',
  title: 'Zed',
  format: 'json',
  recognise: (file, value) => isObject(value) && (PLACE.test(file) || isObject(value.context_servers)),
  read(value) {
    const readers = entriesAt(value, ['context_servers']).map(flattened);
    const servers = readers.filter(reader => !isExtension(reader)).map(readServer);
    const extensions = readers.filter(isExtension).map(extensionProblem);
    return { frame: {}, servers, problems: [...misshapen(value, ['context_servers'], 'an object'), ...extensions] };
  },
  write(value, changes) {
    return writeEntries(value, ['context_servers'], changes, toEntry, [
      'enabled',
      'timeout',
      'oauth',
      'source',
      'settings',
    ]);
  },
  files: zedFiles,
};

/** Older files keep program, arguments and variables together: `command: { path, args, env }`. */
function flattened(reader: EntryReader): EntryReader {
  const { command } = reader.entry;
  if (!isObject(command)) return reader;
  const { path, args, env } = command;
  return new EntryReader(reader.id, { ...reader.entry, command: path, args, env }, reader.done().path);
}

function readServer(reader: EntryReader): ReadServer {
  const asWritten = (value: unknown): unknown => mapStrings(value, literal);
  const transport = reader.has('command') ? 'stdio' : 'http';
  takeWay(reader.set('transport', transport, transport === 'stdio' ? 'command' : 'url'), transport, asWritten, {
    cwd: false,
  });
  if (transport === 'http') reader.take('oauth', 'oauth', value => readOAuth(value, OAUTH, asWritten));
  return reader.take('enabled').take('timeout', 'tool_timeout_ms', seconds).done();
}

function isExtension(reader: EntryReader): boolean {
  return !reader.has('command') && !reader.has('url');
}

function extensionProblem(reader: EntryReader): DialectProblem {
  return {
    path: reader.pathOf('command'),
    server: reader.id,
    message: `Server '${reader.id}' has neither 'command' nor 'url': only a Zed extension could start it.`,
    fix: 'Add the command that the extension runs, or leave the server to Zed.',
  };
}

const toEntry: ToEntry = ({ definition, old }) => {
  requireWords(definition, WORDS);
  const { transport, enabled, tool_timeout_ms: timeout } = definition;
  const { source, settings } = isObject(old) ? old : {};
  return defined({
    ...commonEntry(definition, 'none'),
    enabled,
    timeout: wholeSeconds(timeout),
    oauth:
      transport === 'stdio'
        ? undefined
        : writeOAuth(valueAt(old, ['oauth']), definition.oauth, OAUTH, { scopes: 'text', syntax: 'none' }),
    // What says that an extension brings the server would still say so.
    ...(source === 'extension' ? {} : { source, settings }),
  });
};

function zedFiles(from: Surroundings): AgentFile[] {
  const { home, cwd, platform } = from;
  // On a Mac it lives where command-line programs do.
  const config = platform === 'darwin' ? join(home, '.config') : applicationFolder(from);
  return [
    { scope: 'user', path: join(config, platform === 'win32' ? 'Zed' : 'zed', 'settings.json') },
    { scope: 'project', path: join(cwd, '.zed', 'settings.json') },
  ];
}
