import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { JunctorError } from '@junctor/core/light';
import { describe, expect, test } from 'vitest';
import { takeSecret } from './prompt-secret.ts';

/** A way in and out, with what was shown. A terminal's raw mode is noted, as is what the screen showed at that moment. */
function door(kind: 'terminal' | 'pipe') {
  const shown: string[] = [];
  const input = Object.assign(new PassThrough(), {
    isTTY: kind === 'terminal',
    setRawMode: (raw: boolean) => void shown.push(raw ? '<echo off>' : '<echo on>'),
  });
  const output = new PassThrough();
  output.on('data', chunk => shown.push(String(chunk)));
  return { input, output, shown };
}

const take = (from: ReturnType<typeof door>, signal = new AbortController().signal) =>
  takeSecret('Value', { signal, maxBytes: 100, door: from });

const failureOf = (work: Promise<unknown>): Promise<JunctorError> =>
  work.then(
    () => Promise.reject(new Error('this was meant to fail')),
    error => error,
  );

describe('a secret typed at a terminal', () => {
  test.each([
    ['hunter2-typed\r', 'hunter2-typed'],
    ['huntre\u007f\u007fer2\r', 'hunter2'],
    ['wrong\u0015right\r', 'right'],
    ['  spaces kept  \r', '  spaces kept  '],
    ['pässwörd\n', 'pässwörd'],
    ['\r', ''],
  ])('%j is %j, and is not shown', async (typed, value) => {
    const from = door('terminal');
    const taken = take(from);
    from.input.write(typed);
    expect(await taken).toBe(value);
    await turn();
    expect(from.shown).toEqual(['<echo off>', 'Value: ', '<echo on>', '\n']);
  });

  test.each([
    ['Ctrl-C', 'half\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('%s gives up', async (_key, typed) => {
    const from = door('terminal');
    const taken = failureOf(take(from));
    from.input.write(typed);
    expect((await taken).code).toBe('cancelled');
    await turn();
    expect(from.shown.slice(2)).toEqual(['<echo on>', '\n']);
  });

  test('is given up when the command is interrupted', async () => {
    const from = door('terminal');
    const interrupt = new AbortController();
    const taken = failureOf(take(from, interrupt.signal));
    interrupt.abort(new Error('stop'));
    expect((await taken).message).toBe('stop');
  });

  test.each(['line one\rline two\r', 'line one\rline two'])('is refused when it has several lines', async typed => {
    const from = door('terminal');
    const taken = failureOf(take(from));
    from.input.write(typed);
    const { code, message } = await taken;
    expect([code, message]).toEqual(['usage', 'More than one line was pasted.']);
  });
});

describe('a secret piped in', () => {
  test.each([
    ['value\n', 'value'],
    ['value\r\n', 'value'],
    ['value\n\n', 'value\n'],
    ['two\nlines', 'two\nlines'],
    ['', ''],
  ])('%j is %j', async (piped, value) => {
    const from = door('pipe');
    from.input.end(piped);
    expect([await take(from), from.shown]).toEqual([value, []]);
  });

  test('is refused when it is too long or no text', async () => {
    const [long, binary] = [door('pipe'), door('pipe')];
    long.input.end('x'.repeat(200));
    binary.input.end(Buffer.from([0xff, 0xfe, 0x80]));
    expect([(await failureOf(take(long))).code, (await failureOf(take(binary))).message]).toEqual([
      'usage',
      'The value on stdin is not UTF-8 text.',
    ]);
  });

  test('is not waited for after an interrupt', async () => {
    const interrupt = new AbortController();
    const taken = failureOf(take(door('pipe'), interrupt.signal));
    interrupt.abort(new Error('stop'));
    expect((await taken).message).toBe('stop');
  });
});
