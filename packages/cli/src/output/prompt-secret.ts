/** Takes a secret from whoever runs the command: typed unseen at a terminal, or piped in. Never from the command line. */

import { createInterface } from 'node:readline/promises';
import { addAbortSignal, type Readable, Writable } from 'node:stream';
import { JunctorError } from '@junctor/core/light';

/** Where the value comes in and the question goes out; a test brings its own. */
export interface SecretDoor {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable;
}

const OWN_DOOR: SecretDoor = { input: process.stdin, output: process.stderr };

export interface TakeOptions {
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  readonly door?: SecretDoor;
}

/** Asks where a person sits at the keyboard, else reads what is piped in. */
export function takeSecret(question: string, { signal, maxBytes, door = OWN_DOOR }: TakeOptions): Promise<string> {
  return door.input.isTTY ? promptSecret(question, signal, door) : readPipedSecret(door.input, maxBytes, signal);
}

/** Asks at the terminal and shows nothing of what is typed. Ctrl-C and Ctrl-D mean: not now. */
export async function promptSecret(question: string, signal: AbortSignal, door = OWN_DOOR): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const gaveUp = new AbortController();
  const terminal = createInterface({ input: door.input, output: nowhere, terminal: true, historySize: 0 });
  const moreLines: string[] = [];
  terminal.on('line', line => moreLines.push(line));
  terminal.once('close', () => gaveUp.abort());
  try {
    // Only now: the terminal has stopped echoing, so an answer to the question is not seen.
    door.output.write(`${question}: `);
    const value = await terminal.question('', { signal: AbortSignal.any([signal, gaveUp.signal]) });
    if (moreLines.length === 0 && terminal.line === '') return value;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (gaveUp.signal.aborted) throw new JunctorError('cancelled', 'Interrupted.');
    throw error;
  } finally {
    terminal.close();
    door.output.write('\n');
  }
  // Keeping the first line of a pasted key would look like success.
  throw new JunctorError('usage', 'More than one line was pasted.', {
    hint: 'put it in a file and pipe that in: < FILE',
  });
}

async function readPipedSecret(input: Readable, maxBytes: number, signal: AbortSignal): Promise<string> {
  const bytes = await readAll(addAbortSignal(signal, input), maxBytes).catch(error => {
    throw signal.aborted ? signal.reason : error;
  });
  try {
    // One newline at the end belongs to `echo`, not to the value.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
  } catch {
    throw new JunctorError('usage', 'The value on stdin is not UTF-8 text.', {
      hint: 'encode it first, for example with base64',
    });
  }
}

async function readAll(input: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    // Room for the newline that comes off.
    if (size > maxBytes + 2) {
      throw new JunctorError('usage', `The value on stdin is longer than ${maxBytes} bytes.`, {
        hint: 'give the secret alone; a whole file is better named by its path',
      });
    }
  }
  return Buffer.concat(chunks);
}
