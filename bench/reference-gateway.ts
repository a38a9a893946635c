/**
 * A reference, not a product: what plain Node reaches when a gateway does only the unavoidable. One upstream on a pipe,
 * any number of clients on Streamable HTTP with JSON answers. It has no permissions, names, progress or cancellation.
 *
 *   --mode=parse    JSON.parse and JSON.stringify both ways
 *   --mode=splice   requests are parsed, answers never: only their id is cut out and replaced
 *   --port=P -- command args…
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { findId } from './find-id.ts';
import { INITIALIZE, INITIALIZED, type Message } from './raw-client/json-rpc.ts';
import { cutLines, joined } from './raw-client/lines.ts';

interface Waiter {
  /** The id the client gave, as JSON text. */
  readonly clientId: string;
  deliver(answer: readonly Buffer[]): void;
}

const cut = process.argv.indexOf('--');
const option = (name: string) =>
  process.argv
    .slice(2, cut)
    .find(arg => arg.startsWith(`--${name}=`))
    ?.split('=')[1];
const [command = '', ...args] = process.argv.slice(cut + 1);
const withClientId = option('mode') === 'splice' ? splice : reparse;

const upstream = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
upstream.on('exit', () => process.exit(1));
const waiting = new Map<number, Waiter>();
let lastId = 0;
let outbox = '';

upstream.stdout.on(
  'data',
  cutLines(pieces => withClientId(pieces)),
);

function reparse(pieces: readonly Buffer[]): void {
  const message = JSON.parse(joined(pieces)) as Message;
  const waiter = take(message.id as number);
  if (!waiter) return;
  message.id = JSON.parse(waiter.clientId) as number | string;
  waiter.deliver([Buffer.from(JSON.stringify(message))]);
}

function splice(pieces: readonly Buffer[]): void {
  // Servers write the id before the result, so the first piece nearly always holds it.
  let [head = Buffer.alloc(0), ...rest] = pieces;
  let place = findId(head);
  if (!place && rest.length > 0) {
    head = Buffer.concat(pieces);
    rest = [];
    place = findId(head);
  }
  if (!place) return;
  const waiter = take(Number(head.toString('latin1', place.start, place.end)));
  waiter?.deliver([head.subarray(0, place.start), Buffer.from(waiter.clientId), head.subarray(place.end), ...rest]);
}

function take(id: number): Waiter | undefined {
  const waiter = waiting.get(id);
  waiting.delete(id);
  return waiter;
}

/** The messages of one turn of the event loop leave in one system call. */
function send(message: object): void {
  if (outbox === '') {
    setImmediate(() => {
      upstream.stdin.write(outbox);
      outbox = '';
    });
  }
  outbox += `${JSON.stringify(message)}\n`;
}

function ask(message: Message, deliver: Waiter['deliver']): void {
  const id = ++lastId;
  waiting.set(id, { clientId: JSON.stringify(message.id), deliver });
  message.id = id;
  send(message);
}

// The gateway is the upstream's one client: every further `initialize` is answered from here.
const greeting = await new Promise<unknown>(resolve => {
  const hello = { jsonrpc: '2.0', id: 0, method: 'initialize', params: INITIALIZE };
  ask(hello, answer => resolve((JSON.parse(joined(answer)) as Message).result));
});
send(INITIALIZED);

const sessions = new Set<string>();
createServer((request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => serve(JSON.parse(joined(pieces)) as Message, request, response));
}).listen(Number(option('port')), '127.0.0.1');

function serve(message: Message, request: IncomingMessage, response: ServerResponse): void {
  if (message.method === 'initialize') {
    const session = randomUUID();
    sessions.add(session);
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': session });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: greeting }));
  } else if (!sessions.has(String(request.headers['mcp-session-id']))) response.writeHead(404).end();
  else if (message.id === undefined) response.writeHead(202).end();
  else ask(message, answer => reply(response, answer));
}

/** Below this an answer is joined and leaves in one write; above it, copying costs more than the writes. */
const JOIN_BELOW_BYTES = 65_536;

function reply(response: ServerResponse, answer: readonly Buffer[]): void {
  const bytes = answer.reduce((sum, piece) => sum + piece.length, 0);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes });
  if (bytes < JOIN_BELOW_BYTES) {
    response.end(Buffer.concat(answer, bytes));
    return;
  }
  for (const piece of answer) response.write(piece);
  response.end();
}
