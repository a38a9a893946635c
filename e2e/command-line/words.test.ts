/** Lines that people type first: what they mean is done. */
import { junctor, makeHome, promise } from '@junctor/testkit';
import { expect, test } from 'vitest';

promise('1.8d', '--validate-config alone validates, wherever the file comes from', async () => {
  await using home = await makeHome();
  const bad = await home.write('project/junctor.json', { servers: { b: { transport: 'stdio' } } });
  const good = await home.write('good.json', { servers: {} });
  const said = async (...words: string[]) => {
    const { code, stdout, stderr } = await junctor(home, words);
    return [code, `${stdout}${stderr}`];
  };
  const missing = expect.stringContaining("Missing 'command' in stdio server 'b'");
  expect(await said('--validate-config')).toEqual([1, missing]);
  expect(await said('--config', bad, '--validate-config')).toEqual([1, missing]);
  expect(await said('--validate-config', bad)).toEqual([1, missing]);
  expect(await said('--validate-config', '--config', good)).toEqual([0, expect.stringContaining('valid')]);
  expect(await said('--config', good)).toEqual([0, expect.stringContaining('mcp add')]);
  expect(await said('--no-such-option')).toEqual([2, expect.stringContaining('There is no option --no-such-option.')]);
});

promise('4.1b', 'what follows --arg is its value, also where it begins with a dash', async () => {
  await using home = await makeHome();
  const line = [
    '--transport',
    'stdio',
    '--command',
    'npx',
    '--arg',
    '-y',
    '--arg',
    '-h',
    '--arg',
    '--stdio',
    '--arg',
    '.',
  ];
  expect((await junctor(home, ['mcp', 'add', 'fs', ...line])).code).toBe(0);
  const { servers } = JSON.parse((await junctor(home, ['mcp', 'list', '--json'])).stdout);
  expect(servers[0].endpoint).toBe('npx -y -h --stdio .');
  const { stdout } = await junctor(home, ['mcp', 'add', '-h']);
  expect(stdout).toContain('--arg VALUE');
});

test('a value with a dash of any other option is asked about', async () => {
  await using home = await makeHome();
  const { code, stderr } = await junctor(home, ['mcp', 'add', 'fs', '--command', '-x']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--command=-x')]);
});
