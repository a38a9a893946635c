/** Reads the address that a browser was sent back to, from whoever pastes it. */
import { createInterface } from 'node:readline';
import { JunctorError } from '@junctor/core/light';

export interface PasteOptions {
  /** Ends the reading, and gives stdin back. */
  readonly signal: AbortSignal;
  /** Says that what was pasted is no such address; at a terminal it may be pasted again. */
  readonly complain: (line: string) => void;
}

/** Undefined when stdin ends and nothing was pasted. */
export function pastedAddress({ signal, complain }: PasteOptions): Promise<string | undefined> {
  const atTerminal = process.stdin.isTTY === true;
  // Line by line as the terminal itself would do it cuts long lines off: at 1024 bytes on macOS.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: atTerminal, historySize: 0 });
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const onAbort = (): void => reject(signal.reason);
  lines.on('line', line => {
    const address = line.trim();
    if (address === '') return;
    if (isAnswer(address)) resolve(address);
    else if (atTerminal)
      complain('That is not the address your browser ended on: it holds code= or error=. Paste all of it:');
    else reject(notAnAnswer());
  });
  // With the terminal in our hands Ctrl-C is a key like any other.
  lines.on('SIGINT', () => reject(new JunctorError('cancelled', 'Interrupted.')));
  lines.on('close', () => resolve(undefined));
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  return promise.finally(() => {
    signal.removeEventListener('abort', onAbort);
    lines.close();
    // Else the command would not end before whoever holds the other end of the pipe.
    process.stdin.unref?.();
  });
}

function isAnswer(text: string): boolean {
  const query = URL.parse(text)?.searchParams;
  return query?.has('code') === true || query?.has('error') === true;
}

function notAnAnswer(): JunctorError {
  return new JunctorError('usage', 'What came on stdin is not the address of a sign-in.', {
    why: 'it holds neither code= nor error=',
    hint: 'copy the whole address your browser shows after the sign-in, and give that line on stdin',
  });
}
