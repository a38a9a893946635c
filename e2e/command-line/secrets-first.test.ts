import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Home, junctor, makeHome } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';

const withToken = (value: string, command: string) => ['--env', `API_TOKEN=${value}`, '--', 'sh', '-c', command];

async function stored(home: Home): Promise<number> {
  return JSON.parse((await junctor(home, ['secret', 'list', '--json'])).stdout).secrets.length;
}

describe('a secret that a file is to refer to', () => {
  test('is stored first: where that fails, the file is not written', async () => {
    await using home = await makeHome();
    await home.write('data/secrets.json', 'no secrets at all');
    const added = await junctor(home, ['mcp', 'add', 'a', ...withToken('s3cr3t', 'true')]);
    expect([added.code, added.stderr]).toEqual([1, expect.stringContaining('secrets.json')]);
    await home.write('other.json', { mcpServers: { b: { command: 'x', env: { API_TOKEN: 's3cr3t' } } } });
    expect((await junctor(home, ['mcp', 'import', join(home.path, 'other.json')])).code).toBe(1);
    expect(JSON.parse((await junctor(home, ['mcp', 'list', '--json'])).stdout).servers).toEqual([]);
  });

  test('is as it was where the file cannot be written', async () => {
    await using home = await makeHome();
    const seen = join(home.path, 'seen');
    expect(
      (await junctor(home, ['mcp', 'add', 'a', ...withToken('first', `printf %s "$API_TOKEN" > ${seen}`)])).code,
    ).toBe(0);
    const again = await junctor(home, ['mcp', 'add', 'a', ...withToken('second', 'true')]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("already defines a server 'a'")]);
    await junctor(home, ['mcp', 'test', 'a']);
    expect(await readFile(seen, 'utf8')).toBe('first');
    await home.write('project/junctor.json', '{ broken');
    expect((await junctor(home, ['mcp', 'add', 'b', ...withToken('third', 'true')])).code).toBe(1);
    expect(await stored(home)).toBe(1);
  });
});
