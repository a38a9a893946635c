import * as z from 'zod/mini';
import type { Records } from '../../calls/records.ts';
import type { CallFilter } from '../../store/call-search.ts';
import { type Route, route } from '../route.ts';
import { CallEntry, filterOf, found, shown, WHICH } from './calls.ts';

type Call = z.infer<typeof CallEntry>;

interface Format {
  readonly path: string;
  readonly contentType: string;
  readonly head: string;
  readonly line: (call: Call) => string;
}

const COLUMNS = Object.keys(CallEntry.shape) as (keyof Call)[];

const FORMATS: readonly Format[] = [
  {
    path: '/api/calls/export.csv',
    contentType: 'text/csv',
    head: `${COLUMNS.join(',')}\r\n`,
    line: call => `${COLUMNS.map(column => cell(call[column])).join(',')}\r\n`,
  },
  {
    path: '/api/calls/export.jsonl',
    contentType: 'application/x-ndjson',
    head: '',
    line: call => `${JSON.stringify(call)}\n`,
  },
];

/** Written at a time: how much is held for a reader that is slow. */
const ROWS = 1000;

export const CALL_EXPORT: readonly Route[] = FORMATS.map(({ path, contentType, head, line }) =>
  route({
    method: 'get',
    path,
    summary: `Every such call as ${contentType}, newest first, as a file. It is written while it is read.`,
    query: z.object(WHICH),
    answers: { 200: { description: 'One line for each call.', contentType } },
    async run({ query, signal }, { records }) {
      const lines = exported(records, filterOf(query), { head, line, signal });
      return new Response(ReadableStream.from(lines).pipeThrough(new TextEncoderStream()), {
        headers: {
          'content-type': contentType,
          'content-disposition': `attachment; filename="junctor-calls${path.slice(path.lastIndexOf('.'))}"`,
          'cache-control': 'no-store',
        },
      });
    },
  }),
);

async function* exported(
  records: Records,
  filter: CallFilter,
  { head, line, signal }: Pick<Format, 'head' | 'line'> & { readonly signal: AbortSignal },
): AsyncGenerator<string> {
  yield head;
  let before: number | undefined;
  while (true) {
    // Cut, so that nobody takes it for all of it.
    signal.throwIfAborted();
    const rows = await found(records, { ...filter, before }, ROWS);
    yield rows.map(row => line(shown(row))).join('');
    before = rows.at(-1)?.seq;
    if (rows.length < ROWS) return;
  }
}

/** Programs for tables take text that begins so for a formula, and would run it: a stranger may have written it. */
const FORMULA = /^[=+\-@\t\r]/;

function cell(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return String(value ?? '');
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
