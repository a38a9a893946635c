import { describe, expect, test } from 'vitest';
import { candidatesOf } from './command-candidates.ts';

describe('on POSIX', () => {
  const look = (command: string, env: Record<string, string>) =>
    candidatesOf({ command, cwd: '/srv/app', env, platform: 'linux' });

  test.each([
    ['a name is searched in every folder of PATH, in order', 'npx', '/a:/b', ['/a/npx', '/b/npx']],
    ['a relative folder of PATH starts where the program does', 'npx', 'bin:/b', ['/srv/app/bin/npx', '/b/npx']],
    ['an empty entry is the folder the program starts in', 'npx', '/a::/b', ['/a/npx', '/srv/app/npx', '/b/npx']],
    ['a folder named twice is searched once', 'npx', '/a:/a', ['/a/npx']],
    ['a path is not searched for', './run', '/a', ['/srv/app/run']],
    ['nor is one below', 'bin/run', '/a', ['/srv/app/bin/run']],
    ['nor an absolute one', '/opt/run', '/a', ['/opt/run']],
    ['~ is a name like any other', '~/run', '/a', ['/srv/app/~/run']],
    ['spaces belong to the name', 'npx -y foo', '/a', ['/a/npx -y foo']],
  ])('%s', (_title, command, path, expected) => {
    expect(look(command, { PATH: path })).toEqual(expected);
  });

  test('without PATH the usual folders are searched', () => {
    expect(look('env', {})).toEqual(['/usr/bin/env', '/bin/env']);
  });

  test('names of variables are compared as written', () => {
    expect(look('env', { Path: '/a' })).toEqual(['/usr/bin/env', '/bin/env']);
  });
});

describe('on Windows', () => {
  const look = (command: string, env: Record<string, string>) =>
    candidatesOf({ command, cwd: 'C:\\work', env, platform: 'win32' });
  const ends = ['.com', '.exe', '.bat', '.cmd'];

  test.each([
    ['a name gets every ending', 'npx', { PATH: 'C:\\a' }, ends.map(end => `C:\\a\\npx${end}`)],
    ['the variable may be called Path', 'npx', { Path: 'C:\\a' }, ends.map(end => `C:\\a\\npx${end}`)],
    [
      'PATHEXT says which, in its order',
      'npx',
      { PATH: 'C:\\a', PATHEXT: '.EXE;.CMD' },
      ['C:\\a\\npx.exe', 'C:\\a\\npx.cmd'],
    ],
    ['what cannot be started is not looked for', 'x', { PATH: 'C:\\a', PATHEXT: '.VBS;.JS;.EXE' }, ['C:\\a\\x.exe']],
    [
      'folders may stand in quotes',
      'x',
      { PATH: '"C:\\Program Files\\n";C:\\b', PATHEXT: '.EXE' },
      ['C:\\Program Files\\n\\x.exe', 'C:\\b\\x.exe'],
    ],
    [
      'a name with its ending is taken as it is first',
      'npx.cmd',
      { PATH: 'C:\\a', PATHEXT: '.CMD' },
      ['C:\\a\\npx.cmd', 'C:\\a\\npx.cmd.cmd'],
    ],
    ['a dot in a name is no ending', 'python3.11', { PATH: 'C:\\a', PATHEXT: '.EXE' }, ['C:\\a\\python3.11.exe']],
    ['a path is not searched for', '.\\run', { PATH: 'C:\\a', PATHEXT: '.EXE' }, ['C:\\work\\run.exe']],
    ['nor one with slashes', 'bin/run', { PATH: 'C:\\a', PATHEXT: '.EXE' }, ['C:\\work\\bin\\run.exe']],
    ['nor one on a drive', 'D:\\bin\\run.exe', { PATHEXT: '' }, ['D:\\bin\\run.exe']],
    ['empty entries are nothing, and the current folder is not searched', 'npx', { PATH: ';;', PATHEXT: '.EXE' }, []],
  ])('%s', (_title, command, env, expected) => {
    expect(look(command, env as Record<string, string>)).toEqual(expected);
  });
});
