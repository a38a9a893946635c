/** Cursor: `mcpServers` in `.cursor/mcp.json` of the person or the project. The url says that a server is remote. */

import { join } from 'node:path';
import { isObject } from '../../base/json/is-object.ts';
import type { Dialect, ReadServer } from './dialect.ts';
import { type EntryReader, type Expand, entriesAt, misshapen, readOAuth, takeWay, valueAt } from './entry-reader.ts';
import { commonEntry, defined, requireWords, type ToEntry, writeEntries, writeOAuth } from './entry-writer.ts';
import { editorReferences, editorText } from './vscode.ts';

const SYNTAX = 'dollar-env';
const OAUTH = { CLIENT_ID: 'client_id', CLIENT_SECRET: 'client_secret', scopes: 'scope' };
const PLACE = /(^|[/\\])\.cursor[/\\]mcp\.json$/;

export const cursor: Dialect = {
  name: 'cursor',
  title: 'Cursor',
  format: 'json',
  recognise: (file, value) => isObject(value) && PLACE.test(file),
  read(value, context) {
    const expand = editorText(context, PLACE);
    const servers = entriesAt(value, ['mcpServers']).map(reader => readServer(reader, expand));
    return { frame: {}, servers, problems: misshapen(value, ['mcpServers'], 'an object') };
  },
  write: (value, changes) => writeEntries(value, ['mcpServers'], changes, toEntry, ['auth']),
  files: ({ home, cwd }) => [
    { scope: 'user', path: join(home, '.cursor', 'mcp.json') },
    { scope: 'project', path: join(cwd, '.cursor', 'mcp.json') },
  ],
};

function readServer(reader: EntryReader, expand: Expand): ReadServer {
  const remote = reader.has('url') && !reader.has('command');
  const transport = !remote ? 'stdio' : reader.entry.type === 'sse' ? 'sse' : 'http';
  takeWay(reader.set('transport', transport, remote ? 'url' : 'command'), transport, expand, { cwd: false });
  return remote ? reader.take('auth', 'oauth', value => readOAuth(value, OAUTH, expand)).done() : reader.done();
}

const toEntry: ToEntry = ({ definition, old }) => {
  requireWords(definition, { transports: ['stdio', 'http', 'streamable_http', 'sse'], cwd: false });
  const { transport } = definition;
  const auth =
    transport === 'stdio'
      ? undefined
      : writeOAuth(valueAt(old, ['auth']), definition.oauth, OAUTH, { scopes: 'list', syntax: SYNTAX });
  // Without a word it tries HTTP first.
  const type = transport === 'sse' ? 'sse' : undefined;
  return editorReferences(defined({ type, ...commonEntry(definition, SYNTAX), auth })) as object;
};
