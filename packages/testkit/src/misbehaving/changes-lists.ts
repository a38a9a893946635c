/**
 * Offers whatever `lists.json` in its folder names at that moment, two on a page, and announces what it is told to. Every
 * method it is asked goes to `asked` in the same folder. While a file `down` lies there it does not start.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { say, sayText } from './wire.ts';

interface Lists {
  /** By name, or with a whole definition. */
  readonly tools?: readonly (string | { readonly name: string })[];
  readonly resources?: readonly string[];
  readonly prompts?: readonly string[];
  /** How long it says that a list counts. */
  readonly ttlMs?: number;
}

const folder = process.argv[2] as string;
if (existsSync(join(folder, 'down'))) {
  process.stderr.write('down for maintenance\n', () => process.exit(1));
}

const PAGE = 2;
const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
};
const OWN_TOOLS = ['announce', 'touch', 'crash', 'pid'];

const lists = (): Lists => JSON.parse(readFileSync(join(folder, 'lists.json'), 'utf8'));

function page(key: string, items: readonly object[], cursor: string | undefined): object {
  const from = Number(cursor ?? 0);
  const more = from + PAGE < items.length ? { nextCursor: String(from + PAGE) } : {};
  const { ttlMs } = lists();
  return { [key]: items.slice(from, from + PAGE), ...more, ...(ttlMs === undefined ? {} : { ttlMs }) };
}

type Params = Record<string, unknown> & { readonly cursor?: string; readonly uri?: string; readonly name?: string };

const ANSWERS: Readonly<Record<string, (params: Params) => object>> = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: CAPABILITIES,
    serverInfo: { name: 'changing', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': ({ cursor }) => {
    const tools = [...OWN_TOOLS, ...(lists().tools ?? [])];
    return page(
      'tools',
      tools.map(tool => ({ inputSchema: { type: 'object' }, ...(typeof tool === 'string' ? { name: tool } : tool) })),
      cursor,
    );
  },
  'resources/list': ({ cursor }) =>
    page('resources', lists().resources?.map(uri => ({ uri, name: uri })) ?? [], cursor),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: `the text of ${uri}` }] }),
  'resources/subscribe': () => ({}),
  'resources/unsubscribe': () => ({}),
  'prompts/list': ({ cursor }) => page('prompts', lists().prompts?.map(name => ({ name })) ?? [], cursor),
  'prompts/get': ({ name, arguments: args }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `${name} ${JSON.stringify(args)}` } }],
  }),
  'completion/complete': ({ argument }) => {
    const { value } = argument as { value: string };
    return { completion: { values: [`${value}-one`, `${value}-two`], total: 2, hasMore: false } };
  },
};

function call(id: number, tool: string | undefined, args: Record<string, unknown>): void {
  if (tool === 'crash') process.exit(7);
  if (tool === 'touch') say({ method: 'notifications/resources/updated', params: { uri: args.uri } });
  if (tool === 'announce') {
    for (let times = Number(args.times ?? 1); times > 0; times--)
      say({ method: `notifications/${args.list}/list_changed` });
  }
  const named = (lists().tools ?? []).map(one => (typeof one === 'string' ? one : one.name));
  const known = [...OWN_TOOLS, ...named].includes(tool ?? '');
  if (known) sayText(id, tool === 'pid' ? String(process.pid) : 'done');
  else say({ id, error: { code: -32602, message: `Unknown tool: ${tool}` } });
}

createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line) as { id?: number; method: string; params?: Params };
  appendFileSync(join(folder, 'asked'), `${method}\n`);
  if (id === undefined) return;
  if (method === 'tools/call') return call(id, params?.name, (params?.arguments ?? {}) as Record<string, unknown>);
  const answer = ANSWERS[method];
  if (answer) say({ id, result: answer(params ?? {}) });
  else say({ id, error: { code: -32601, message: `Method not found: ${method}` } });
});
