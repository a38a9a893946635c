/**
 * A model on this machine that says what a script tells it to, over real HTTP and in the APIs of OpenAI, Anthropic and
 * Gemini, streamed or not. It refuses requests that the API it is asked through would refuse.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen, readBody } from '../authority/listening.ts';
import { chatCompletions } from './dialects/chat-completions.ts';
import { BREAKS, type Dialect, HANGS } from './dialects/dialect.ts';
import { gemini } from './dialects/gemini.ts';
import { messages } from './dialects/messages.ts';
import { responses } from './dialects/responses.ts';
import { type ModelRequest, type Script, spoken, type Turn } from './turn.ts';

const DIALECTS = [chatCompletions, responses, messages, gemini];

export interface ScriptedModel extends AsyncDisposable {
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** The base URL that OpenAI-compatible and Anthropic clients are given. */
  readonly url: string;
  /** The base URL that Gemini clients are given. */
  readonly geminiUrl: string;
  /** Every request so far, the refused ones too. */
  readonly requests: readonly ModelRequest[];
  /** What was wrong with requests. */
  readonly complaints: readonly string[];
  /** Goes on with these turns once the others are used up. */
  say(...more: Script): void;
  close(): Promise<void>;
}

export async function startModel(script: Script = []): Promise<ScriptedModel> {
  const turns = [...script];
  const requests: ModelRequest[] = [];
  const complaints: string[] = [];
  const nextTurn = async (request: ModelRequest, wrong: readonly string[]): Promise<Turn> => {
    complaints.push(...wrong);
    if (wrong.length > 0) return { fails: { status: 400, message: wrong.join('; ') } };
    const turn = turns.shift();
    if (turn === undefined) return { fails: { status: 500, message: 'the script is over' } };
    return typeof turn === 'function' ? turn(request) : turn;
  };
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(incoming.url ?? '/', 'http://model').pathname;
    const dialect = DIALECTS.find(one => one.path.test(path));
    if (!dialect || incoming.method !== 'POST') return void response.writeHead(404).end();
    const body = JSON.parse(await readBody(incoming));
    const request = { path, headers: incoming.headers, body, over: ending(response) };
    requests.push(request);
    const turn = await nextTurn(request, dialect.complaints(body));
    if (turn.fails) return refuse(dialect, response, turn.fails);
    const words = spoken(turn, requests.length, dialect.modelOf(request));
    if (dialect.wantsStream(request)) await stream(dialect, response, dialect.stream(words, request));
    else
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(dialect.answer(words, request)));
  };
  const { origin, close } = await listen((incoming, response) => {
    serve(incoming, response).catch(error => response.destroy(error));
  });
  return {
    origin,
    url: `${origin}/v1`,
    geminiUrl: `${origin}/v1beta`,
    requests,
    complaints,
    say: (...more) => void turns.push(...more),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function refuse(dialect: Dialect, response: ServerResponse, { status, message }: NonNullable<Turn['fails']>): void {
  const body = JSON.stringify(dialect.refusal(status, message));
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

function ending(response: ServerResponse): Promise<'answered' | 'left'> {
  return new Promise(resolve => {
    response.once('close', () => resolve(response.writableFinished ? 'answered' : 'left'));
  });
}

async function stream(dialect: Dialect, response: ServerResponse, steps: ReturnType<Dialect['stream']>): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  for (const step of steps) {
    if (step === HANGS) return;
    if (step === BREAKS) return void response.destroy();
    const { event, data } = step;
    response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`);
    // Each event in a packet of its own, as from afar.
    await new Promise(setImmediate);
    if (response.destroyed) return;
  }
  response.end(dialect.lastLine ?? '');
}
