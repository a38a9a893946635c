/** A server as a child process: one JSON-RPC message a line on its stdin and stdout, its stderr kept for errors. */
import { JunctorError } from '../../base/error.ts';
import type { Scope } from '../../base/scope.ts';
import type { ResolvedServer, StdioEndpoint } from '../../resolve/roster.ts';
import { type Started, type StartOptions, startProgram } from '../executors/start.ts';
import type { ServerProcess } from '../process/launch.ts';
import { describeEnd, onProgramEnd, type ProgramEnd } from '../process/program-end.ts';
import { Tail } from '../process/tail.ts';
import type { Channel, ChannelListener } from '../rpc/channel.ts';
import { type Frame, frameText, LineReader } from '../rpc/frame.ts';
import { seeMore } from '../rpc/see-more.ts';
import { MOST_UNREAD_BYTES } from './most-unread.ts';

const LAST_LINES = 8;

/** A pipe breaks a moment before the news that its program ended, which says more. */
const NEWS_OF_END_MS = 500;
/** Some close their stdout, tidy up and end. How they end says more than that. */
const TIDYING_UP_MS = 1500;

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

export async function openStdio(
  server: ResolvedServer,
  endpoint: StdioEndpoint,
  scope: Scope,
  options: StartOptions,
): Promise<Channel> {
  const started = await startProgram(server, { program: endpoint, readsStdin: true }, scope, options);
  const channel = new StdioChannel(server, started);
  // Runs before stdin is closed: a cancellation of this very turn must still reach the server.
  scope.defer(() => channel.flush());
  return channel;
}

class StdioChannel implements Channel {
  readonly #server: ResolvedServer;
  readonly #child: ServerProcess;
  readonly #diagnose: Started['diagnose'];
  readonly output: Tail = new Tail();
  /** Lines on stdout that are no messages: a server that dies may have complained there. */
  readonly #stray = new Tail();
  #reader: LineReader | undefined;
  #listener: ChannelListener | undefined;
  #greeted = false;
  #outbox = '';
  /** How many messages left together the last time they waited for each other. */
  #together = 0;

  constructor(server: ResolvedServer, { child, diagnose }: Started) {
    this.#server = server;
    this.#child = child;
    this.#diagnose = diagnose;
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.output.push(text));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  listen(listener: ChannelListener): void {
    const onFrame = (frame: Frame): void => {
      if (this.#isStray(frame)) this.#stray.push(`${excerptOf(frame)}\n`);
      listener.onFrame(frame);
    };
    const reader = new LineReader(
      { onFrame, onOversized: (ends, bytes) => listener.onOversized(ends, bytes) },
      this.#server.maxMessageBytes,
    );
    this.#reader = reader;
    this.#listener = listener;
    this.#child.stdout.on('data', (chunk: Buffer) => reader.push(chunk));
    onProgramEnd(this.#child, { untilSilent: true }, end => listener.onClosed(this.#ended(end)));
    this.#child.stdin.on('error', () => {
      setTimeout(() => listener.onClosed(this.#deaf()), NEWS_OF_END_MS).unref();
    });
    this.#child.stdout.on('close', () => {
      setTimeout(() => listener.onClosed(this.#mute()), TIDYING_UP_MS).unref();
    });
  }

  agreed(): void {
    this.#greeted = true;
  }

  send(text: string, id?: number): void {
    // Whoever asks and asks, and reads no answers, gets no more of them.
    if (id === undefined && this.#child.stdin.writableLength + this.#outbox.length > MOST_UNREAD_BYTES) return;
    // One call at a time has nobody to leave with: waiting would only cost it.
    if (this.#together < 2 && this.#outbox === '' && this.#listener?.inFlight === 1) {
      this.#child.stdin.write(`${text}\n`);
      return;
    }
    // All messages of one turn of the event loop leave in one system call. A turn, not a tick: requests that reach the hub on
    // many sockets come in ticks of their own, and writing is the dearest part of a small call.
    if (this.#outbox === '') {
      this.#together = 0;
      setImmediate(this.flush);
    }
    this.#together++;
    this.#outbox += `${text}\n`;
  }

  lastWords(): string | undefined {
    const complaints = this.output.lines(LAST_LINES);
    if (complaints !== '') return `its last lines on stderr:\n${complaints}`;
    const stray = this.#stray.lines(LAST_LINES);
    return stray === '' ? undefined : `it wrote nothing to stderr; its last lines on stdout:\n${stray}`;
  }

  readonly flush = (): void => {
    const text = this.#outbox;
    if (text === '') return;
    this.#outbox = '';
    this.#child.stdin.write(text);
  };

  /** Until the greeting is over every line is looked at; afterwards a glance has to do, for the sake of speed. */
  #isStray(frame: Frame): boolean {
    const first = frame[0]?.[0];
    if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return true;
    return !this.#greeted && !frameText(frame).includes('"jsonrpc"');
  }

  /** It runs on, and nothing that is sent can reach it. */
  #deaf(): JunctorError {
    const { id } = this.#server;
    return new JunctorError('connection_lost', `Server '${id}' has closed its stdin, and hears nothing any more.`, {
      server: id,
      why: this.lastWords() ?? 'it wrote nothing to stderr',
      hint: 'it is started anew; if that repeats, report it to the author of the server',
    });
  }

  /** It runs on, and nothing it could say can reach us. */
  #mute(): JunctorError {
    const { id } = this.#server;
    return new JunctorError('connection_lost', `Server '${id}' has closed its stdout.`, {
      server: id,
      why: `it runs on, and can answer nothing any more; ${this.lastWords() ?? 'it wrote nothing to stderr'}`,
      hint: 'it is started anew; if that repeats, report it to the author of the server',
    });
  }

  #ended(end: ProgramEnd): JunctorError {
    const { id } = this.#server;
    const rest = this.#reader?.rest() ?? [];
    const cutOff = rest.length > 0 && !this.#isStray(rest);
    if (rest.length > 0 && !cutOff) this.#stray.push(excerptOf(rest));
    const words = this.lastWords() ?? 'it wrote nothing to stderr';
    const ofPlace = this.#greeted
      ? undefined
      : this.#diagnose({ code: end.code, words: this.output.lines(LAST_LINES) });
    if (ofPlace) return ofPlace;
    return new JunctorError('connection_lost', `Server '${id}' ${describeEnd(end)}.`, {
      server: id,
      why: cutOff ? `it stopped in the middle of a message; ${words}` : words,
      ...seeMore(id),
    });
  }
}

const EXCERPT_BYTES = 500;

function excerptOf(frame: Frame): string {
  return frame[0]?.subarray(0, EXCERPT_BYTES).toString('utf8') ?? '';
}
