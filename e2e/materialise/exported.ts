/** What was exported, as a test reads it. */
import { readFile } from 'node:fs/promises';
import { formatName, loadFormat } from '@junctor/core/config-write';
import { type Home, junctor } from '@junctor/testkit';
import { expect } from 'vitest';

export async function parsedFile(file: string): Promise<unknown> {
  const read = (await loadFormat(formatName(file))).read(file, await readFile(file, 'utf8'));
  return read.ok ? JSON.parse(JSON.stringify(read.document.value)) : read.problems;
}

export async function json(home: Home, ...args: string[]) {
  const { stdout, stderr } = await junctor(home, [...args, '--json']);
  return stdout === '' ? expect.unreachable(stderr) : JSON.parse(stdout);
}
