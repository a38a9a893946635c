import { describe, expect, test } from 'vitest';
import { withProgress } from './with-progress.ts';

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('a call with progress', () => {
  test('gives what was said, in order, and the answer last', async () => {
    const call = withProgress(async ({ onProgress }) => {
      onProgress({ progress: 1, total: 2 });
      await null;
      onProgress({ progress: 2, total: 2, message: 'nearly' });
      return 'done';
    }, undefined);
    expect(await all(call)).toEqual([{ progress: 1, total: 2 }, { progress: 2, total: 2, message: 'nearly' }, 'done']);
  });

  test('fails as the call fails, after what was said before', async () => {
    const call = withProgress(async ({ onProgress }) => {
      onProgress({ progress: 1 });
      throw new Error('the disk is full');
    }, undefined);
    expect(await call.next()).toEqual({ done: false, value: { progress: 1 } });
    await expect(call.next()).rejects.toThrow('the disk is full');
  });

  test('is given up when nobody listens any more', async () => {
    let given: AbortSignal | undefined;
    const call = withProgress(({ onProgress, signal }) => {
      given = signal;
      onProgress({ progress: 1 });
      return new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    }, undefined);
    for await (const _ of call) break;
    expect(given?.aborted).toBe(true);
  });

  test('hears the signal of the run', async () => {
    const run = new AbortController();
    const call = withProgress(async ({ signal }) => {
      run.abort(new Error('the person left'));
      signal.throwIfAborted();
    }, run.signal);
    await expect(all(call)).rejects.toThrow('the person left');
  });
});
