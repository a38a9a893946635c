/** cocode: `[mcp_servers.<id>]` in TOML, with a `transport` and a `program`, which tell it from Codex. Times are seconds. */
import { isObject } from '../../base/json/is-object.ts';
import { nearest } from '../../base/text/nearest.ts';
import type { Dialect, DialectProblem, DialectReading, DialectWriting } from './dialect.ts';
import { entriesAt, seconds, valueAt } from './entry-reader.ts';
import { Inexpressible } from './entry-writer.ts';
import {
  asReading,
  brokenSection,
  oneOf,
  readStrictly,
  type StrictWords,
  word,
  writeStrictly,
  writeWords,
} from './strictness.ts';

const OWN_PLACE = /(^|[/\\])(\.mcp\.toml|\.cocode\.local\.toml|cocode[/\\]mcp\.toml)$/;
/** Programs that have `mcp_servers` too, and say the rest differently. */
const OTHER_PLACE = /(^|[/\\])\.(codex|grok)[/\\]/;

const SERVERS = ['mcp_servers'];

const WORDS: StrictWords = {
  transport: word('transport', { write: oneOf('stdio', 'sse', 'http', 'ws') }),
  program: word('command'),
  args: word('args'),
  env: word('env'),
  url: word('url'),
  headers: word('headers'),
  bearer_token_env_var: word('bearer_token_env_var'),
  enabled: word('enabled'),
  startup_timeout_sec: word('connect_timeout_ms', { read: seconds, write: wholeSeconds }),
  tool_timeout_sec: word('tool_timeout_ms', { read: seconds, write: wholeSeconds }),
  enabled_tools: word('tools.allow'),
  disabled_tools: word('tools.deny'),
};

export const cocode: Dialect = {
  name: 'cocode',
  title: 'cocode',
  format: 'toml',
  recognise(file, value) {
    if (OWN_PLACE.test(file)) return true;
    const servers = valueAt(value, SERVERS);
    if (!isObject(servers) || OTHER_PLACE.test(file)) return false;
    const entries = Object.values(servers).filter(isObject);
    return entries.some(entry => typeof entry.transport === 'string' || typeof entry.program === 'string');
  },
  read(value): DialectReading {
    const readings = entriesAt(value, SERVERS).map(reader => readStrictly(reader, WORDS));
    return asReading({}, readings, [...brokenSection(value, SERVERS), ...misspeltSection(value)]);
  },
  write(value, changes): DialectWriting {
    return writeStrictly(value, SERVERS, changes, definition => writeWords(definition, WORDS));
  },
};

/** The rest of the file is cocode's own business; only what was surely meant for us is told about. */
function misspeltSection(value: unknown): DialectProblem[] {
  if (!isObject(value)) return [];
  const misspelt = Object.keys(value).filter(key => key !== 'mcp_servers' && nearest(key, SERVERS));
  return misspelt.map(key => ({
    path: [key],
    message: `Unknown key '${key}'.`,
    expected: 'mcp_servers',
    fix: `Did you mean 'mcp_servers'?`,
  }));
}

function wholeSeconds(milliseconds: unknown): number {
  const written = typeof milliseconds === 'number' ? milliseconds / 1000 : Number.NaN;
  if (!Number.isInteger(written)) throw new Inexpressible('it counts its timeouts in whole seconds');
  return written;
}
