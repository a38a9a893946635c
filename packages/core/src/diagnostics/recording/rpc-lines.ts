/** JSON-RPC as a server speaks it on stdin and stdout: one message a line. */

import type { Readable, Writable } from 'node:stream';
import { isRawNumber, parseKeepingDigits } from '../../base/json/exact-json.ts';
import { isObject } from '../../base/json/is-object.ts';
import { RPC_CODE } from '../../base/rpc-code.ts';
import { type Frame, frameText, LineReader } from '../../connections/rpc/frame.ts';
import type { RpcMessage } from './recording.ts';

export interface RpcLines {
  readonly input: Readable;
  readonly output: Writable;
  /** Stops reading. */
  readonly signal: AbortSignal;
}

/** What a client sends is small: it carries arguments, not results. */
const MAX_LINE_BYTES = 128 * 1024 * 1024;

const PARSE_ERROR = { code: RPC_CODE.notJson, message: 'The line is not one JSON-RPC message.' };

const UNREADABLE = { code: RPC_CODE.invalidRequest, message: 'The message cannot be read.' };

/** Hands every message to `hear`, those of a batch one by one. Resolves when there are no more. */
export async function readRpcLines(
  { input, output, signal }: RpcLines,
  hear: (message: RpcMessage, say: (message: object) => void) => void,
): Promise<void> {
  const say = (message: object): void => void output.write(`${JSON.stringify(message)}\n`);
  const refuse = (): void => say({ jsonrpc: '2.0', id: null, error: PARSE_ERROR });
  const onFrame = (frame: Frame): void => {
    const messages = parsed(frameText(frame));
    if (!messages) return refuse();
    for (const message of messages) {
      try {
        hear(message, say);
      } catch {
        // One message that cannot be passed on must not end the recording.
        if (message.id !== undefined) say({ jsonrpc: '2.0', id: message.id, error: UNREADABLE });
      }
    }
  };
  const reader = new LineReader({ onFrame, onOversized: refuse }, MAX_LINE_BYTES);
  const onData = (chunk: Buffer): void => reader.push(chunk);
  // A client that is gone does not listen any more; its end of the line says so as well.
  const onGone = (): void => {};
  output.on('error', onGone);
  input.on('data', onData);
  await new Promise<void>(resolve => {
    for (const event of ['end', 'close', 'error']) input.once(event, () => resolve());
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  input.off('data', onData);
  input.pause();
  output.off('error', onGone);
}

function parsed(line: string): RpcMessage[] | undefined {
  try {
    const value = parseKeepingDigits(line);
    const messages = Array.isArray(value) ? value : [value];
    return messages.every(one => isObject(one) && !isRawNumber(one)) ? messages : undefined;
  } catch {
    return undefined;
  }
}
