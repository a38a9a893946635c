/**
 * Carries lines between a client on stdin and stdout and the pipe of a hub. A hub that is restarted is found again: the
 * client's greeting is repeated to it, and what the old one left unanswered is answered with an error. Nothing is sent twice.
 */
import { fstatSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Frame, LineReader, parseExactly, shortFrame } from '@junctor/core/internal';
import { isJunctorError } from '@junctor/core/light';
import { Conversation } from './conversation.ts';
import { envelopeOf } from './envelope.ts';

export interface CarrierOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** The way to a hub that runs; undefined where none does. */
  readonly find: () => Promise<Socket | undefined>;
  /** The same, and begins one where none runs. */
  readonly reach: () => Promise<Socket>;
  readonly signal: AbortSignal;
  /** Tells people what happens. */
  readonly talk: (line: string) => void;
}

const MAX_LINE_BYTES = 128 * 1024 * 1024;
const LINE_END = Buffer.from('\n');
/**
 * After the client's last word, answers that are still to come have this long: a client that closes stdin wants to be left.
 * One whose requests come from a file waits for every answer.
 */
const LAST_ANSWERS_MS = 2000;
/** A hub that is restarted is back within this time. After it, whatever the client says next begins one. */
const RETURN_MS = 15_000;
const LOOK_EVERY_MS = 200;

export class Carrier {
  readonly #options: CarrierOptions;
  readonly #conversation = new Conversation();
  readonly #over = Promise.withResolvers<void>();
  #socket: Socket | undefined;
  /** What the client said while there was no hub. */
  #unsent: Frame[] = [];
  /** A hub is being reached, and begun if need be. */
  #reaching = false;
  #ended = false;
  readonly #fromFile: boolean;

  constructor(options: CarrierOptions) {
    this.#options = options;
    this.#fromFile = isFile(options.input);
  }

  /** Until the client is gone: how many of its requests have no answer. Fails only where no hub could be reached at all. */
  async carry(): Promise<number> {
    const { input, output, signal } = this.#options;
    this.#attach(await this.#options.reach());
    const reader = new LineReader(
      { onFrame: frame => this.#onAsked(frame), onOversized: ends => this.#onTooLarge(ends) },
      MAX_LINE_BYTES,
    );
    const leave = (): void => this.#over.resolve();
    input.on('data', (chunk: Buffer) => reader.push(chunk));
    input.once('end', () => this.#onLastWord());
    input.once('error', leave);
    output.on('error', leave);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    await this.#over.promise;
    this.#ended = true;
    input.destroy();
    this.#socket?.destroySoon();
    return signal.aborted ? 0 : this.#conversation.waiting;
  }

  #attach(socket: Socket): void {
    const { input, output } = this.#options;
    this.#socket = socket;
    const reader = new LineReader(
      { onFrame: frame => this.#onSaid(frame), onOversized: ends => this.#onTooLarge(ends) },
      MAX_LINE_BYTES,
    );
    socket.on('data', chunk => {
      reader.push(chunk);
      if (!output.writableNeedDrain) return;
      socket.pause();
      output.once('drain', () => socket.resume());
    });
    socket.on('drain', () => input.resume());
    socket.once('close', () => this.#onLost(socket));
    for (const frame of [...this.#conversation.again(), ...this.#unsent.splice(0)]) write(socket, frame);
    socket.resume();
  }

  #onAsked(frame: Frame): void {
    if (!this.#conversation.asked(frame)) return;
    if (!this.#socket) {
      this.#unsent.push(frame);
      void this.#begin();
      return;
    }
    if (!write(this.#socket, frame)) this.#options.input.pause();
  }

  #onSaid(frame: Frame): void {
    if (this.#conversation.answered(frame)) write(this.#options.output, frame);
    if (this.#ended && this.#conversation.waiting === 0) this.#over.resolve();
  }

  #onLastWord(): void {
    this.#ended = true;
    if (this.#conversation.waiting === 0) return this.#over.resolve();
    if (this.#fromFile) return;
    const patience = setTimeout(() => this.#over.resolve(), LAST_ANSWERS_MS);
    void this.#over.promise.then(() => clearTimeout(patience));
  }

  /** A line that is not carried is at least answered: whoever waits for it would wait for ever. */
  #onTooLarge(ends: Frame): void {
    const { id } = envelopeOf(ends);
    if (id === undefined) return;
    this.#conversation.answered(ends);
    const message = `The message is larger than ${MAX_LINE_BYTES} bytes`;
    this.#say({ id: parseExactly(id), error: { code: TOO_LARGE, message } });
  }

  #onLost(socket: Socket): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    this.#failAll('The hub ended while this request ran: whether a server acted on it is not known', 'unknown');
    if (this.#ended) return this.#over.resolve();
    this.#options.input.resume();
    this.#options.talk('the hub is gone; it is looked for');
    void this.#look();
  }

  /** Until the client wants something, a hub is waited for and none begun: somebody may have ended it on purpose. */
  async #look(): Promise<void> {
    const giveUpAt = Date.now() + RETURN_MS;
    while (!this.#socket && !this.#ended && !this.#reaching && Date.now() < giveUpAt) {
      const socket = await this.#options.find().catch(() => undefined);
      if (socket) return this.#return(socket);
      await sleep(LOOK_EVERY_MS, undefined, { ref: false });
    }
  }

  async #begin(): Promise<void> {
    if (this.#reaching) return;
    this.#reaching = true;
    try {
      this.#return(await this.#options.reach());
    } catch (error) {
      const because = isJunctorError(error) ? `${error.message} (${error.code})` : String(error);
      this.#options.talk(`error: ${because}`);
      this.#unsent = [];
      this.#failAll(because, 'not_sent');
    } finally {
      this.#reaching = false;
    }
  }

  #return(socket: Socket): void {
    if (this.#socket || this.#ended) {
      socket.destroy();
      return;
    }
    this.#options.talk('the hub is back');
    this.#attach(socket);
    // What it offers may be something else now.
    if (this.#conversation.initialized) this.#say({ method: 'notifications/tools/list_changed' });
  }

  /** Answers what the hub left unanswered, and withdraws its questions: another hub must not get answers to them. */
  #failAll(because: string, outcome: 'unknown' | 'not_sent'): void {
    const { held, sent, questions } = this.#conversation.lost();
    const fail = (id: string, message: string, data: object): void =>
      this.#say({ id: parseExactly(id), error: { code: CONNECTION_LOST, message, data } });
    for (const id of sent) fail(id, because, { code: 'connection_lost', outcome });
    for (const id of held) fail(id, HELD_AND_LOST, { code: 'connection_lost', outcome: 'not_sent' });
    const reason = 'the hub that asked has ended';
    for (const id of questions)
      this.#say({ method: 'notifications/cancelled', params: { requestId: parseExactly(id), reason } });
  }

  #say(message: object): void {
    write(this.#options.output, [Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))]);
  }
}

const HELD_AND_LOST = 'The hub ended while this call waited for approval: it was not sent to a server';
const CONNECTION_LOST = -32000;
const TOO_LARGE = -32600;

function isFile(input: Readable & { readonly fd?: number }): boolean {
  return input.fd !== undefined && fstatSync(input.fd).isFile();
}

/** False where whoever reads there is behind. */
function write(to: Writable, frame: Frame): boolean {
  const short = shortFrame(frame);
  if (short !== undefined) return to.write(`${short}\n`, 'latin1');
  to.cork();
  for (const piece of frame) to.write(piece);
  const keepsUp = to.write(LINE_END);
  to.uncork();
  return keepsUp;
}
