import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Home, junctor, makeHome, promise } from '@junctor/testkit';
import { type ScriptedModel, startModel } from '@junctor/testkit/model';
import { expect } from 'vitest';

interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** One answer of the model with these calls, and what the tools said to it. */
async function answersTo(home: Home, calls: readonly Call[]): Promise<string[]> {
  await using model = await startModel([{ calls: [...calls] }, { text: 'done' }]);
  const words = ['chat', '--base-url', model.url, '--model', 'scripted', '--yes', '-p', 'go'];
  const { code, stderr } = await junctor(home, words);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return toolTexts(model);
}

function toolTexts(model: ScriptedModel): string[] {
  const messages = (model.requests.at(-1)?.body.messages ?? []) as { role: string; content: string }[];
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
}

const edit = (path: string, old: string, fresh: string): Call => ({
  name: 'edit',
  args: { path, old, new: fresh },
});

promise(
  '4.2j',
  'several edits of one file in one answer all count, also beside a write, and its mode stays',
  async () => {
    await using home = await makeHome();
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
    const file = join(home.project, 'many.txt');
    await writeFile(file, numbers.map(n => `line ${n}\n`).join(''));
    await chmod(file, 0o664);
    const edits = numbers.map(n => edit('many.txt', `line ${n}`, `row ${n}`));
    const write = { name: 'write', args: { path: 'new/plain.txt', content: 'fresh' } };
    const said = await answersTo(home, [...edits, write]);
    expect(said).toEqual([...numbers.map(() => 'replaced one place in many.txt'), expect.stringContaining('wrote')]);
    expect(await readFile(file, 'utf8')).toBe(numbers.map(n => `row ${n}\n`).join(''));
    expect((await stat(file)).mode & 0o777).toBe(0o664);
    // A new file is like one that any other program creates.
    expect((await stat(join(home.project, 'new', 'plain.txt'))).mode & 0o777).toBe(0o666 & ~process.umask());
  },
);

promise('4.2k', 'an edit keeps every other byte, in any encoding and with any line ends', async () => {
  await using home = await makeHome();
  const put = (name: string, bytes: string) => writeFile(join(home.project, name), bytes, 'latin1');
  const bytes = (name: string) => readFile(join(home.project, name), 'latin1');
  await put('latin.txt', 'caf\xe9 na\xefve\n');
  await put('utf16.txt', '\xff\xfec\0a\0f\0');
  await put('crlf.txt', '\xef\xbb\xbfone\r\ntwo\r\nthree\r\n');
  await put('mixed.txt', 'one\r\ntwo\nthree\r\nfour\r\n');
  const said = await answersTo(home, [
    edit('latin.txt', 'caf', 'CAF'),
    edit('latin.txt', 'na', 'n\u00e4'),
    edit('utf16.txt', 'caf', 'CAF'),
    edit('crlf.txt', 'one\ntwo', 'eins\nund\nzwei'),
    edit('mixed.txt', 'three\nfour', '3\n4'),
    edit('mixed.txt', 'two\n', '2\n'),
    { name: 'read', args: { path: 'crlf.txt' } },
  ]);
  expect(await bytes('latin.txt')).toBe('CAF\xe9 na\xefve\n');
  expect(await bytes('utf16.txt')).toBe('\xff\xfec\0a\0f\0');
  expect(await bytes('crlf.txt')).toBe('\xef\xbb\xbfeins\r\nund\r\nzwei\r\nthree\r\n');
  expect(await bytes('mixed.txt')).toBe('one\r\n2\n3\r\n4\r\n');
  expect(said.slice(1, 3)).toEqual([expect.stringContaining('latin.txt is not UTF-8'), 'It is no text file.']);
  expect(said.at(-1)).not.toContain('\r');
});

promise('4.2l', 'shell answers when its command ends, ends what that left running, and takes any timeout', async () => {
  await using home = await makeHome();
  const shell = (command: string, more: object = {}): Call => ({ name: 'shell', args: { command, ...more } });
  const said = await answersTo(home, [
    shell('sleep 300 & echo $! started'),
    shell('sleep 300 > /dev/null 2>&1 & echo $! quiet'),
    ...[3_600_000, -1, 1e12, 0.0001].map(timeout_s => shell('echo in time', { timeout_s })),
  ]);
  expect(said.slice(2)).toEqual(['in time', 'in time', 'in time', 'in time']);
  for (const [at, word] of ['started', 'quiet'].entries()) {
    const [, pid = ''] =
      new RegExp(`^(\\d+) ${word}\\n\\[programs that it left running were ended\\]$`).exec(said[at] ?? '') ?? [];
    expect(pid, said[at]).not.toBe('');
    await expect.poll(() => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).not.toContain('sleep');
  }
});
