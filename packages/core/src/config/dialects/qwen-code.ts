/** Qwen Code: Gemini CLI's settings in `.qwen/settings.json`, but a `url` always speaks SSE, and variables have no defaults. */
import { join, resolve } from 'node:path';
import type { Surroundings } from '../sources/places.ts';
import type { AgentFile, Dialect, ReadServer } from './dialect.ts';
import type { EntryReader } from './entry-reader.ts';
import { defined, type ToEntry } from './entry-writer.ts';
import { entryOf, isSettings, readEntry, readSettings, SETTINGS_KEYS, writeSettings } from './gemini.ts';

const SYNTAX = 'braces';
const OWNED = [...SETTINGS_KEYS, 'discoveryTimeoutMs', 'versionNegotiation'];

export const qwenCode: Dialect = {
  name: 'qwen-code',
  title: 'Qwen Code',
  format: 'json',
  recognise: (file, value) => isSettings(value, file, { own: '.qwen', other: '.gemini' }),
  read: value => readSettings(value, readServer),
  write: (value, changes) => writeSettings(value, changes, toEntry, OWNED),
  files: qwenFiles,
};

function readServer(reader: EntryReader): ReadServer {
  // A `type` beside the url changes nothing.
  const { definition } = readEntry(reader, SYNTAX, 'sse').take('discoveryTimeoutMs', 'connect_timeout_ms').done();
  // Only programs are asked which era they speak.
  if (definition.transport === 'stdio') reader.take('versionNegotiation', 'protocol');
  return reader.done();
}

const toEntry: ToEntry = change => {
  const { transport, protocol, connect_timeout_ms: discoveryTimeoutMs } = change.definition;
  const { type: _type, ...entry } = entryOf(change, SYNTAX);
  const said = transport === 'stdio' && protocol !== 'modern' ? protocol : undefined;
  return defined({ ...entry, discoveryTimeoutMs, versionNegotiation: said });
};

function qwenFiles({ home, cwd, env }: Surroundings): AgentFile[] {
  const folder = env.QWEN_HOME ? resolve(cwd, env.QWEN_HOME) : join(home, '.qwen');
  return [
    { scope: 'user', path: join(folder, 'settings.json') },
    { scope: 'project', path: join(cwd, '.qwen', 'settings.json') },
  ];
}
