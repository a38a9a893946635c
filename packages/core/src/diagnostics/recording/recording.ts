/**
 * What was said between a client and a server, as a file of lines: one that begins a session, then one for each message with
 * who said it and when. Sessions are added at the end, so that a server which is started several times is recorded whole.
 */

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { JunctorError } from '../../base/error.ts';
import { unwritable } from '../../base/files/atomic-file.ts';
import { isRawNumber, parseExactly } from '../../base/json/exact-json.ts';
import { isJson } from '../../base/json/is-json.ts';
import { MASK, namesSecret } from '../../base/log/redact.ts';
import { monotonicMs } from '../../base/time/monotonic.ts';

export type Speaker = 'client' | 'server';

export interface RpcMessage {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

export interface RecordedMessage {
  readonly session: string;
  readonly from: Speaker;
  readonly message: RpcMessage;
}

export interface RecordingAbout {
  readonly server: string;
  /** Masks secrets in a text. */
  readonly mask: (text: string) => string;
}

export class RecordingWriter {
  readonly #stream: WriteStream;
  readonly #session = crypto.randomUUID().slice(0, 8);
  readonly #since = monotonicMs();
  readonly #mask: RecordingAbout['mask'];
  messages = 0;

  private constructor(stream: WriteStream, { server, mask }: RecordingAbout) {
    this.#stream = stream;
    this.#mask = mask;
    // Told when it is closed: the client goes on, it has not asked for a recording.
    stream.on('error', () => {});
    this.#write({ recording: 1, session: this.#session, server, at: new Date().toISOString() });
  }

  static async open(path: string, about: RecordingAbout): Promise<RecordingWriter> {
    const stream = createWriteStream(path, { flags: 'a', mode: 0o600 });
    await once(stream, 'open').catch(error => {
      throw unwritable(path, error);
    });
    return new RecordingWriter(stream, about);
  }

  note(from: Speaker, message: object): void {
    this.messages++;
    const at = Math.round((monotonicMs() - this.#since) * 10) / 10;
    this.#write({ session: this.#session, at_ms: at, from, message: maskedValue(message, this.#mask) });
  }

  /** Resolves when all of it is written; throws where it could not be. */
  async close(): Promise<void> {
    this.#stream.end();
    if (!this.#stream.closed) await new Promise<void>(resolve => this.#stream.once('close', () => resolve()));
    if (this.#stream.errored) throw unwritable(String(this.#stream.path), this.#stream.errored);
  }

  #write(line: object): void {
    this.#stream.write(`${JSON.stringify(line)}\n`);
  }
}

/** Says nothing about a secret, but would break what follows if it were masked. */
const NO_SECRET = new Set(['progressToken']);

/** Secrets are masked wherever they stand: known values, what looks like a credential, and what stands under such a name. */
export function maskedValue(value: unknown, mask: (text: string) => string, name = ''): unknown {
  if (typeof value === 'string') return namesSecret(name) && !NO_SECRET.has(name) ? MASK : mask(value);
  if (Array.isArray(value)) return value.map(item => maskedValue(item, mask));
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskedValue(inner, mask, key)]));
}

export async function readRecording(path: string): Promise<RecordedMessage[]> {
  const text = await readFile(path, 'utf8').catch(error => {
    throw new JunctorError('config_unreadable', `Cannot read ${path}.`, {
      why: (error as Error).message,
      hint: 'make a recording first: junctor record SERVER FILE',
      cause: error,
    });
  });
  const lines = text.split('\n').map((line, index) => ({ line, number: index + 1 }));
  // A process that was killed may have left half a line at the end.
  const whole = lines.filter(({ line, number }) => line.trim() !== '' && !(number === lines.length && !isJson(line)));
  const parsed = whole.map(({ line, number }) => parseLine(line, path, number));
  if (parsed.length === 0) throw notARecording(path, 1, 'it is empty');
  return parsed.flatMap(one => ('message' in one ? [one] : []));
}

function parseLine(line: string, path: string, number: number): RecordedMessage | { readonly recording: 1 } {
  if (!isJson(line)) throw notARecording(path, number, 'the line is no JSON');
  const found = parseExactly(line) as Partial<RecordedMessage> & { recording?: unknown };
  if (found?.recording === 1) return { recording: 1 };
  const { session, from, message } = found ?? {};
  if ((from !== 'client' && from !== 'server') || typeof message !== 'object' || message === null) {
    throw notARecording(path, number, 'it names nobody who spoke, or no message');
  }
  return { session: String(session), from, message };
}

function notARecording(path: string, line: number, why: string): JunctorError {
  return new JunctorError('config_unreadable', `${path} is not a recording of Junctor.`, {
    why: `line ${line}: ${why}`,
    hint: 'give a file that junctor record wrote',
  });
}
