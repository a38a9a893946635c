/**
 * The pipe of a data directory. Whoever listens on it is the hub there: a second one cannot, and a hub that was killed does
 * not any more, whatever files it left. It is held from before the hub opens its database until after it closed it.
 */
import { chmod, mkdir, unlink } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { JunctorError } from '@junctor/core';
import { type Frame, LineReader, unwritable, withFileLock } from '@junctor/core/internal';
import { MAX_REQUEST_BYTES, textIn } from '../endpoint/bodies.ts';
import { isListening } from '../store/hub-file.ts';
import { leavePlace, otherPlace, socketPlace } from '../store/socket-place.ts';
import {
  greetingIn,
  NO_GREETING,
  type PipeAnswer,
  type PipeErrand,
  type PipeGreeting,
  type PipeProject,
  type PipeQuestion,
} from './pipe-words.ts';

export interface PipeGuest {
  receive(text: string | undefined): void;
  /** The client is gone. */
  end(): void;
}

export interface Reception {
  /** Never fails. */
  tell(question: PipeQuestion | PipeProject): Promise<PipeAnswer>;
  run(errand: PipeErrand, signal: AbortSignal): Promise<PipeAnswer>;
  /** Lets a client in, or says why not. */
  admit(greeting: PipeGreeting, socket: Socket): Promise<Admission>;
}

export interface Admission {
  readonly answer: PipeAnswer;
  readonly guest?: PipeGuest;
}

/** What a file system answers that cannot hold a socket. */
const NO_SOCKETS = new Set(['ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'EPERM', 'EACCES', 'ENOSYS']);

/** Whoever connects says at once what for. */
const GREETING_MS = 5000;

export class LocalPipe {
  readonly path: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #reception: Reception | undefined;

  private constructor(path: string) {
    this.path = path;
    this.#server = createServer(socket => this.#receive(socket));
  }

  /** Undefined where another hub has it. */
  static async claim(dataDirectory: string): Promise<LocalPipe | undefined> {
    await mkdir(dataDirectory, { recursive: true, mode: 0o700 }).catch(error => {
      throw unwritable(dataDirectory, error);
    });
    // Two that find the socket of a dead hub must not both take it away: the second would take that of the first.
    return withFileLock(`${dataDirectory}/hub`, async () => {
      const path = await socketPlace(dataDirectory);
      try {
        return await LocalPipe.#claimAt(path);
      } catch (error) {
        const other = await otherPlace(dataDirectory);
        if (!NO_SOCKETS.has((error as NodeJS.ErrnoException).code ?? '') || other === path) throw error;
        return LocalPipe.#claimAt(other);
      }
    });
  }

  static async #claimAt(path: string): Promise<LocalPipe | undefined> {
    const pipe = new LocalPipe(path);
    return (await pipe.#listen()) ? pipe : undefined;
  }

  /** Clients are let in from now on. */
  open(reception: Reception): void {
    this.#reception = reception;
  }

  /** Whoever is in is sent away, and whoever comes is told to wait. */
  shut(): void {
    this.#reception = undefined;
    for (const socket of this.#sockets) socket.destroySoon();
  }

  async close(): Promise<void> {
    this.shut();
    await new Promise<void>(resolve => this.#server.close(() => resolve()));
    await leavePlace(this.path);
  }

  async #listen(): Promise<boolean> {
    if (await isListening(this.path)) return false;
    if (process.platform !== 'win32') await unlink(this.path).catch(() => {});
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.path, resolve);
    });
    if (process.platform !== 'win32') await chmod(this.path, 0o600);
    return true;
  }

  #receive(socket: Socket): void {
    this.#sockets.add(socket);
    let guest: PipeGuest | undefined;
    /** What came while it was seen to it that the client can be let in. */
    let early: (string | undefined)[] | undefined;
    const leaveWith = (answer: PipeAnswer): void => {
      socket.end(`${JSON.stringify(answer)}\n`);
    };
    const onFrame = (frame: Frame): void => {
      const text = textIn(frame);
      if (guest) return guest.receive(text);
      if (early) return void early.push(text);
      clearTimeout(deadline);
      if (socket.writableEnded) return;
      const greeting = greetingIn(text ?? '');
      if (!greeting) return leaveWith(NO_GREETING);
      if (!this.#reception) return leaveWith({ wait: true });
      if ('ask' in greeting) {
        if (greeting.ask !== 'errand') {
          early = [];
          return void this.#reception.tell(greeting).then(leaveWith);
        }
        socket.write(`${JSON.stringify({ taken: true } satisfies PipeAnswer)}\n`);
        guest = errandGuest(this.#reception, greeting, leaveWith);
        return;
      }
      early = [];
      this.#reception.admit(greeting, socket).then(enter, () => socket.destroy());
    };
    const enter = ({ answer, guest: admitted }: Admission): void => {
      if (!admitted) return leaveWith(answer);
      if (socket.destroyed) return admitted.end();
      guest = admitted;
      socket.write(`${JSON.stringify(answer)}\n`);
      for (const text of early ?? []) guest.receive(text);
    };
    const reader = new LineReader({ onFrame, onOversized: () => socket.destroy() }, MAX_REQUEST_BYTES);
    const deadline = setTimeout(() => socket.destroy(), GREETING_MS).unref();
    socket.on('data', chunk => reader.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(deadline);
      this.#sockets.delete(socket);
      guest?.end();
    });
  }
}

/** Whoever gave it has nothing more to say, and gives it up by leaving. */
function errandGuest(reception: Reception, errand: PipeErrand, leaveWith: (answer: PipeAnswer) => void): PipeGuest {
  const abort = new AbortController();
  void reception.run(errand, abort.signal).then(leaveWith);
  return {
    receive: () => {},
    end: () => abort.abort(new JunctorError('cancelled', 'The command was given up.')),
  };
}
