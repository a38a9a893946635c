/** Our own format: what stands in the file is the canonical schema already. */
import { isObject } from '../../base/json/is-object.ts';
import type { Dialect } from './dialect.ts';
import { isOwnFile } from './own-files.ts';

const VSCODE_FILE = /[/\\]\.vscode[/\\]mcp\.json$/;

export const junctor: Dialect = {
  name: 'junctor',
  title: 'Junctor',
  format: 'json',
  recognise(file, value) {
    if (isOwnFile(file)) return true;
    if (!isObject(value) || !isObject(value.servers)) return false;
    // Keys, or a nested transport, that only the formats with the same top key have.
    if ('agent_id' in value || 'meta' in value || 'inputs' in value || VSCODE_FILE.test(file)) return false;
    const entries = Object.values(value.servers).filter(isObject);
    if (entries.some(entry => isObject(entry.transport))) return false;
    return entries.length === 0 || entries.some(entry => typeof entry.transport === 'string');
  },
  read(value, { file }) {
    const whole = isObject(value) ? value : {};
    const { servers: _servers, ...written } = whole;
    const frame = PLUGIN_MANIFEST.test(file) ? withoutManifest(written) : written;
    const entries = isObject(whole.servers) ? whole.servers : {};
    const servers = Object.entries(entries).map(([id, entry]) => ({
      id,
      definition: isObject(entry) ? entry : {},
      path: ['servers', id],
      at: {},
    }));
    return { frame: { ...frame, ...(isObject(whole.servers) ? {} : keepWrong(whole)) }, servers, problems: [] };
  },
  write(_value, changes) {
    const edits = changes.map(({ id, definition }) => ({ path: ['servers', id], value: definition }));
    return { edits, leftOut: [] };
  },
};

const PLUGIN_MANIFEST = /(^|[/\\])plugin\.json$/;
/** What a plugin says about itself. Its `version` is its own, and not that of the format. */
const MANIFEST_KEYS = ['name', 'version', 'description', 'author', 'homepage', 'repository', 'license', 'keywords'];

function withoutManifest(written: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(written).filter(([key]) => !MANIFEST_KEYS.includes(key)));
}

/** A `servers` that is no object is left in the frame, where the schema says what is wrong with it. */
function keepWrong(whole: Record<string, unknown>): object {
  return whole.servers === undefined ? {} : { servers: whole.servers };
}
