/**
 * A catalogue of 10,000 tools over 200 servers, in a fresh process: what parsing the definitions takes, and beside it a
 * snapshot of them, the list for each provider, a search among them, and a snapshot after one server has changed. Prints
 * milliseconds.
 */
import { Catalogue } from '../../packages/core/src/catalogue/catalogue.ts';
import type { ToolDefinition } from '../../packages/core/src/catalogue/entry.ts';
import { audienceOf } from '../../packages/core/src/catalogue/profiles/audience.ts';
import { ToolIndex } from '../../packages/core/src/catalogue/search/tool-index.ts';
import { wordVectorsOnDemand } from '../../packages/core/src/catalogue/search/word-vectors-file.ts';
import type { Snapshot, ToolList } from '../../packages/core/src/catalogue/snapshot.ts';
import { type View, viewOf } from '../../packages/core/src/catalogue/view.ts';

const SERVERS = 200;
const TOOLS_EACH = 50;
const RUNS = 25;
/** So many changes take long enough to be measured. */
const CHANGES = 10;

/** Every tool has words of each: a search has never more to weigh. */
const QUERIES = [
  'work on a plain text as often as told',
  'the slow mode, and say how often',
  'does server 42 know what to do with a text',
  'tool_7 of server-7',
  'how do I go about it fast',
];

const ids = Array.from({ length: SERVERS }, (_, index) => `server-${index}`);
const text = JSON.stringify(
  ids.map((_, server) => Array.from({ length: TOOLS_EACH }, (_, index) => tool(server, index))),
);

/** As large as those of the workload `list`, with a little of what providers differ in. */
function tool(server: number, index: number): object {
  return {
    name: `tool_${index}`,
    description: `Does what number ${index} of server ${server} does with a text, as often as it is told to, and says so.`,
    inputSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        text: { type: 'string', description: 'What to work on, as plain text.' },
        count: { type: 'integer', description: 'How often.', minimum: 1 },
        mode: { type: 'string', enum: ['fast', 'slow'], description: 'How to go about it.' },
      },
      required: ['text'],
      additionalProperties: false,
    },
  };
}

/** Whoever takes only so many tools would have less to do. */
function viewFor(model?: string): View {
  const view = viewOf('mcp__', audienceOf({ model }));
  return view.audience ? { ...view, audience: { ...view.audience, maxTools: undefined } } : view;
}

function parse(): Map<string, ToolList> {
  const lists = JSON.parse(text) as ToolDefinition[][];
  return new Map(lists.map((tools, index) => [ids[index] as string, { tools }]));
}

/** In time of this thread: with few cores, what else runs would count more than what is measured. */
function timed<Result>(work: () => Result): { readonly ms: number; readonly result: Result } {
  globalThis.gc?.(); // what an earlier one left behind is not this one's
  const started = threadMs();
  const result = work();
  return { ms: threadMs() - started, result };
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** As a request would hold them. */
function listed({ entries }: Snapshot): number {
  return entries.map(({ offered }) => offered).length;
}

const vectors = wordVectorsOnDemand();
vectors(); // read once, before anything is measured

/** Indexed in steps while other work goes on, so what is measured is what a person or a model waits for. */
function indexed({ entries }: Snapshot): ToolIndex {
  const index = new ToolIndex(vectors);
  const shelves = Map.groupBy(entries, ({ server }) => server);
  for (const [server, tools] of shelves) {
    index.setServer(
      server,
      tools.map(({ tool, definition }) => ({ ...definition, server, tool })),
    );
  }
  return index;
}

function searched(index: ToolIndex): number {
  return QUERIES.flatMap(query => index.search(query, 5)).length;
}

const seen = new Map<string, number[]>();
const note = (what: string, ms: number) => void seen.set(what, [...(seen.get(what) ?? []), ms]);
for (let run = 0; run < RUNS; run++) {
  const { ms: parseMs, result: lists } = timed(parse);
  note('parse', parseMs);
  const catalogue = new Catalogue();
  const snapshot = timed(() => catalogue.snapshot(viewFor(), lists, ids));
  if (snapshot.result.entries.length !== SERVERS * TOOLS_EACH) throw new Error('tools are missing');
  note('snapshot', snapshot.ms);
  for (const model of ['anthropic', 'openai', 'gemini']) {
    const view = viewFor(model);
    note(`list for ${model}`, timed(() => listed(catalogue.snapshot(view, lists, ids))).ms);
  }
  const after = Array.from({ length: CHANGES }, () =>
    new Map(lists).set('server-7', { tools: [...(lists.get('server-7')?.tools ?? [])] }),
  );
  const { ms } = timed(() => after.map(changed => catalogue.snapshot(viewFor(), changed, ids).number));
  note('one server changed', ms / CHANGES);
}
const index = indexed(new Catalogue().snapshot(viewFor(), parse(), ids));
for (let run = 0; run < RUNS; run++) {
  const { ms, result } = timed(() => searched(index));
  if (result !== QUERIES.length * 5) throw new Error('tools are not found');
  note('search', ms / QUERIES.length);
}
// The best of each: other work on the machine makes a run slower, never faster.
const best = Object.fromEntries([...seen].map(([what, times]) => [what, Math.min(...times)]));

// What it takes in all: the definitions, their snapshot for one provider, and the index that is searched.
globalThis.gc?.();
const before = process.memoryUsage().heapUsed;
const kept = parse();
const catalogue = new Catalogue();
const offered = catalogue.snapshot(viewFor('gemini'), kept, ids);
const own = indexed(offered);
listed(offered);
searched(own);
globalThis.gc?.();
const heapMiB = (process.memoryUsage().heapUsed - before) / 2 ** 20;
// Named here, or none of them would be held that long.
process.stdout.write(
  JSON.stringify({ ...best, heapMiB, servers: kept.size, number: catalogue.latest?.number, found: searched(own) }),
);
