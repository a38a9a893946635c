/** Claude Desktop: programs under `mcpServers` in `claude_desktop_config.json`. Nothing is expanded there. */

import { join } from 'node:path';
import { isObject } from '../../base/json/is-object.ts';
import { literal } from '../template.ts';
import type { Dialect, DialectProblem, ReadServer } from './dialect.ts';
import { type EntryReader, entriesAt, mapStrings, misshapen, takeWay } from './entry-reader.ts';
import { commonEntry, Inexpressible, requireWords, type ToEntry, writeEntries } from './entry-writer.ts';
import { applicationFolder } from './vscode.ts';

export const claudeDesktop: Dialect = {
  name: 'claude-desktop',
  title: 'Claude Desktop',
  format: 'json',
  recognise: (file, value) => isObject(value) && /(^|[/\\])claude_desktop_config\.json$/.test(file),
  read(value) {
    const readers = entriesAt(value, ['mcpServers']);
    const servers = readers.filter(reader => !isRemote(reader)).map(readServer);
    const remote = readers.filter(isRemote).map(remoteProblem);
    return { frame: {}, servers, problems: [...misshapen(value, ['mcpServers'], 'an object'), ...remote] };
  },
  write: (value, changes) => writeEntries(value, ['mcpServers'], changes, toEntry),
  files: from => [{ scope: 'user', path: join(applicationFolder(from), 'Claude', 'claude_desktop_config.json') }],
};

function readServer(reader: EntryReader): ReadServer {
  const asWritten = (value: unknown): unknown => mapStrings(value, literal);
  return takeWay(reader.set('transport', 'stdio', 'command'), 'stdio', asWritten, { cwd: false }).done();
}

function isRemote(reader: EntryReader): boolean {
  return reader.has('url') && !reader.has('command');
}

function remoteProblem(reader: EntryReader): DialectProblem {
  return {
    path: reader.pathOf('url'),
    server: reader.id,
    message: `Claude Desktop takes no remote servers from this file, so it ignores '${reader.id}'.`,
    expected: "'command'",
    fix: 'Add it on the Connectors page of its settings, or start a bridge to it with command and args.',
  };
}

const toEntry: ToEntry = ({ definition }) => {
  if (definition.transport !== 'stdio') throw new Inexpressible('it takes remote servers only on its Connectors page');
  requireWords(definition, { transports: ['stdio'], cwd: false });
  return commonEntry(definition, 'none');
};
