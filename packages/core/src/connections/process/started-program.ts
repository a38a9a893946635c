/** The program behind a URL while it runs: what it printed, and what its end means for whoever talks to it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isJunctorError, JunctorError, retold } from '../../base/error.ts';
import type { Started } from '../executors/start.ts';
import type { Channel, ChannelListener } from '../rpc/channel.ts';
import { seeMore } from '../rpc/see-more.ts';
import { describeEnd, onProgramEnd, type ProgramEnd } from './program-end.ts';
import { Tail } from './tail.ts';

const LAST_LINES = 8;

/** A connection breaks a moment before the news that the program ended. */
const NEWS_OF_END_MS = 500;

export class StartedProgram {
  readonly #server: string;
  readonly #diagnose: Started['diagnose'];
  /** Both streams as a terminal would mix them: programs of this kind log to either. */
  readonly output: Tail = new Tail();
  readonly pid: number | undefined;
  readonly #over = new AbortController();
  #end: ProgramEnd | undefined;

  constructor(server: string, { child, diagnose }: Pick<Started, 'child' | 'diagnose'>) {
    this.#server = server;
    this.#diagnose = diagnose;
    this.pid = child.pid;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => this.output.push(text));
    }
    onProgramEnd(child, { untilSilent: false }, end => {
      this.#end = end;
      this.#over.abort();
    });
  }

  /** Raised when the program has ended. */
  get ended(): AbortSignal {
    return this.#over.signal;
  }

  lastWords(): string {
    const lines = this.output.lines(LAST_LINES);
    return lines === '' ? 'it printed nothing' : `the last lines it printed:\n${lines}`;
  }

  diedBeforeAnswering(origin: string): JunctorError {
    const ofPlace = this.#diagnose({ code: this.#end?.code ?? null, words: this.output.lines(LAST_LINES) });
    if (ofPlace) return ofPlace;
    return new JunctorError('connection_failed', `${this.#ending()} before it answered at ${origin}.`, {
      server: this.#server,
      why: this.lastWords(),
      hint: 'start its command by hand to see what is wrong',
    });
  }

  died(unsent = false): JunctorError {
    return new JunctorError('connection_lost', `${this.#ending()}.`, {
      server: this.#server,
      why: this.lastWords(),
      ...seeMore(this.#server),
      unsent,
    });
  }

  /** A connection that fails because the program died fails with that; any other failure is told with what it printed. */
  async explain(error: unknown): Promise<unknown> {
    if (!isJunctorError(error, 'connection_failed') && !isJunctorError(error, 'connection_lost')) return error;
    const { server = this.#server, unsent } = error;
    const answered = (error.cause as { status?: unknown } | undefined)?.status !== undefined;
    if (!answered) await sleep(NEWS_OF_END_MS, undefined, { signal: this.ended }).catch(() => {});
    if (this.#end) return this.died(unsent);
    const why = [error.why, this.lastWords()].filter(Boolean).join('; ');
    return retold(error, { server, why });
  }

  #ending(): string {
    const how = this.#end ? describeEnd(this.#end) : 'ended';
    return `The program of server '${this.#server}' ${how}`;
  }
}

/** Joins a channel to the program behind it: they end together. */
export function accompany(channel: Channel, program: StartedProgram): Channel {
  const listen = channel.listen.bind(channel);
  return Object.assign(channel, {
    output: program.output,
    pid: program.pid,
    lastWords: () => program.lastWords(),
    listen(listener: ChannelListener): void {
      listen({
        get inFlight() {
          return listener.inFlight;
        },
        awaits: id => listener.awaits(id),
        onHeld: id => listener.onHeld(id),
        onSent: id => listener.onSent(id),
        onFrame: (frame, during) => listener.onFrame(frame, during),
        onOversized: (ends, bytes) => listener.onOversized(ends, bytes),
        onRetired: error => listener.onRetired(error),
        onClosed: error => listener.onClosed(error),
        onRefused(id, error) {
          // Every response that is over ends so; most have brought their answer.
          if (!listener.awaits(id)) return;
          void program.explain(error).then(explained => listener.onRefused(id, explained as JunctorError));
        },
      });
      const onEnded = (): void => listener.onClosed(program.died());
      if (program.ended.aborted) onEnded();
      else program.ended.addEventListener('abort', onEnded, { once: true });
    },
  });
}
