import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { READ_AND_RUN, startLine } from './start-line.ts';

const run = (line: string, rest = '') =>
  spawnSync('sh', ['-c', READ_AND_RUN], {
    input: `${line}\n${rest}`,
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
const SETTINGS = { cwd: undefined, watched: false };

test.skipIf(process.platform === 'win32')(
  'a shell gets every word and every variable as it was, and the command gets all that comes after the line',
  () => {
    const odd = 'it\'s "odd": $HOME `id` \\ * \n two lines\n';
    const script =
      'process.stdout.write(JSON.stringify([process.env.ODD, process.argv[1], require("fs").readFileSync(0, "utf8")]))';
    const program = { command: process.execPath, args: ['-e', script, odd], cwd: undefined, env: { ODD: odd } };
    const { stdout } = run(startLine('demo', program, SETTINGS), 'first\nsecond\n');
    expect(JSON.parse(stdout)).toEqual([odd, odd, 'first\nsecond\n']);
  },
);

test.skipIf(process.platform === 'win32')('a folder that is not there has an exit code of its own', () => {
  const program = { command: 'true', args: [], cwd: undefined, env: {} };
  expect(run(startLine('demo', program, { ...SETTINGS, cwd: '/no/such/folder' })).status).toBe(120);
});

test('a variable that no shell can set is refused by its name', () => {
  const program = { command: 'true', args: [], cwd: undefined, env: { 'with-dash': '1' } };
  expect(() => startLine('demo', program, SETTINGS)).toThrow("The variable 'with-dash' of server 'demo'");
});
