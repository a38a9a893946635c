/**
 * Answers its lists as a file says, by method: the file is the first argument. The tool `change` gives this process other
 * answers, and announces that every list changed; `touch` announces that a resource did.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { say, sayText } from './wire.ts';

interface Answer {
  /** What stands in the list, whatever it is. */
  readonly items?: readonly unknown[];
  /** The items that many times, one page each, with new names. */
  readonly pages?: number;
  /** Text that is put into each item of such a page. */
  readonly bytes?: number;
  /** The cursor of every page. */
  readonly cursor?: string;
  readonly error?: { readonly code: number; readonly message: string };
  /** It does not answer at all. */
  readonly silent?: boolean;
}

type Answers = Readonly<Record<string, Answer>>;
type Params = Readonly<Record<string, unknown>>;

const KEYS: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
};
const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
};
const OWN = ['change', 'touch', 'echo'].map(name => ({ name, inputSchema: { type: 'object' } }));

let answers: Answers = process.argv[2] === undefined ? {} : JSON.parse(readFileSync(process.argv[2], 'utf8'));

function list(id: number, method: string, key: string, { cursor }: Params): void {
  const { items = [], pages = 1, bytes, cursor: fixed, error, silent } = answers[method] ?? {};
  if (silent) return;
  if (error) return say({ id, error });
  const page = cursor === undefined || cursor === '' ? 0 : Number(cursor);
  const numbered = pages === 1 ? items : items.map(item => another(item as object, page, bytes));
  const shown = method === 'tools/list' && page === 0 ? [...OWN, ...numbered] : numbered;
  const next = fixed ?? (page + 1 < pages ? String(page + 1) : undefined);
  say({ id, result: { [key]: shown, ...(next === undefined ? {} : { nextCursor: next }) } });
}

function another(item: object, page: number, bytes: number | undefined): object {
  const name = { name: `${(item as { name?: unknown }).name}_${page}` };
  const uri = 'uri' in item ? { uri: `${item.uri}/${page}` } : {};
  return { ...item, ...name, ...uri, ...(bytes === undefined ? {} : { description: 'x'.repeat(bytes) }) };
}

function call(id: number, { name, arguments: args = {} }: Params): void {
  const { answers: chosen, times = 1, ...params } = args as { answers?: Answers; times?: number };
  if (chosen) answers = chosen;
  if (name === 'change')
    for (let time = 0; time < times; time++)
      for (const changed of ['tools', 'resources', 'prompts']) say({ method: `notifications/${changed}/list_changed` });
  if (name === 'touch') say({ method: 'notifications/resources/updated', params });
  sayText(id, String(name));
}

createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params = {} } = JSON.parse(line) as { id?: number; method: string; params?: Params };
  const key = KEYS[method];
  if (id === undefined) return;
  if (key !== undefined) list(id, method, key, params);
  else if (method === 'tools/call') call(id, params);
  else if (method === 'initialize')
    say({
      id,
      result: {
        protocolVersion: '2025-11-25',
        capabilities: CAPABILITIES,
        serverInfo: { name: 'chosen-lists', version: '1' },
      },
    });
  else if (/^(?:ping|resources\/(?:un)?subscribe)$/.test(method)) say({ id, result: {} });
  else say({ id, error: { code: -32601, message: `Method not found: ${method}` } });
});
