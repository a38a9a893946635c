/**
 * A server that answers each marked request with the damaged messages of its case, and every other one correctly.
 * `--seed N`, `--era legacy|modern`; over stdio, or with `--http` over HTTP on a free port, which it prints. `--log DIRECTORY` keeps the
 * numbers of the cases it answered. `--lists`: its lists are damaged, each time in another way, and change without end;
 * `--greets`: the first answer of each connection is damaged.
 */
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { type FuzzEra, fuzzCase, markedCase } from '../fuzz/case.ts';
import { Dice } from '../fuzz/dice.ts';
import {
  type AskedRequest,
  ENDLESS_ROUNDS,
  type FuzzedAnswer,
  fuzzedAnswer,
  properAnswer,
} from '../fuzz/fuzzed-answers.ts';
import { sendFuzzed } from '../fuzz/fuzzed-http.ts';
import { pieces } from '../fuzz/spelling.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    era: { type: 'string', default: 'legacy' },
    log: { type: 'string' },
    lists: { type: 'boolean', default: false },
    greets: { type: 'boolean', default: false },
    http: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const era = values.era as FuzzEra;
const OPENINGS = new Set(['initialize', 'server/discover']);
const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
const CHANGES = ['tools', 'prompts', 'resources'].map(list => `notifications/${list}/list_changed`);
/** Between two changes of the lists: an agent's requests wait for lists that are being read. */
const PAUSE_MS = 500;

let unmarked = process.pid * 1000;
let answered: string[] = [];
const rounds = new Map<number, number>();
process.on('exit', keepLog);

/** Undefined for what wants no answer. */
function answerTo(text: string): (FuzzedAnswer & { readonly dice?: Dice }) | undefined {
  const request = JSON.parse(text) as AskedRequest;
  if (request.id === undefined || request.method === undefined) return undefined;
  const { number, isDamaged } = caseOf(request, text);
  if (!isDamaged) return { before: [], answer: properAnswer(seed, number, era, request) };
  const round = note(number);
  return { ...fuzzedAnswer({ seed, number, era, round }, request), dice: new Dice(seed ^ 0x5e7d, number) };
}

/** A request that nobody marked is damaged where this server was started for that. */
function caseOf({ method }: AskedRequest, text: string): { readonly number: number; readonly isDamaged: boolean } {
  const isOpening = OPENINGS.has(method);
  if ((isOpening && values.greets) || (values.lists && LISTS.includes(method)))
    return { number: ++unmarked, isDamaged: true };
  const number = isOpening ? undefined : markedCase(text);
  return { number: number ?? 0, isDamaged: number !== undefined && fuzzCase(seed, number).damaged === 'answer' };
}

/** How often this case was asked for before. */
function note(number: number): number {
  const round = rounds.get(number) ?? 0;
  rounds.set(number, round + 1);
  answered.push(round < ENDLESS_ROUNDS ? `${number}` : `${number} without end`);
  if (answered.length > 200) keepLog();
  return round;
}

function keepLog(): void {
  if (values.log && answered.length > 0) appendFileSync(`${values.log}/${process.pid}`, `${answered.join('\n')}\n`);
  answered = [];
}

function serveStdio(): void {
  createInterface({ input: process.stdin })
    .on('line', line => {
      const found = answerTo(line);
      if (!found) return;
      const messages = [...found.before, ...(found.answer ? [found.answer] : [])];
      for (const message of messages)
        for (const piece of pieces(Buffer.concat([message, Buffer.from('\n')]), found.dice))
          process.stdout.write(piece);
    })
    .on('close', () => process.exit());
  if (values.lists)
    setInterval(() => {
      for (const method of CHANGES) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`);
    }, PAUSE_MS);
}

async function answerHttp(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const text = Buffer.concat(chunks).toString();
  const found = answerTo(text);
  if (!found) return void response.writeHead(202).end();
  const session = text.includes('"initialize"') ? { 'mcp-session-id': String(process.hrtime.bigint()) } : undefined;
  if (found.dice) return sendFuzzed(response, found, found.dice, session);
  response.writeHead(200, { ...session, 'content-type': 'application/json' }).end(found.answer);
}

function serveHttp(): void {
  const http = createServer((request, response) => void answerHttp(request, response).catch(() => response.destroy()));
  http.listen(0, '127.0.0.1', () => console.log((http.address() as AddressInfo).port));
  process.on('SIGTERM', () => process.exit());
}

if (values.http) serveHttp();
else serveStdio();
