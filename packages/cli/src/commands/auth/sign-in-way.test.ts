import { describe, expect, test } from 'vitest';
import { browserCommand } from '../../output/open-browser.ts';
import { signInWay } from './sign-in-way.ts';

const surroundings = (env: Record<string, string>, platform: NodeJS.Platform = 'linux') => ({
  cwd: '/',
  home: '/',
  env,
  platform,
});

describe('signInWay', () => {
  const rows: readonly (readonly [string, Parameters<typeof signInWay>[1], string])[] = [
    ['a Mac', surroundings({}, 'darwin'), 'browser'],
    ['Windows', surroundings({}, 'win32'), 'browser'],
    ['a Mac over SSH', surroundings({ SSH_CONNECTION: '10.0.0.1 2 10.0.0.2 22' }, 'darwin'), 'paste'],
    ['a terminal over SSH', surroundings({ SSH_TTY: '/dev/pts/1', DISPLAY: ':0' }), 'paste'],
    ['no display', surroundings({}), 'paste'],
    ['a container', surroundings({ container: 'podman', DISPLAY: ':0' }), 'paste'],
    ['a browser by name', surroundings({ BROWSER: 'firefox' }), 'browser'],
    ['a browser by name over SSH', surroundings({ BROWSER: 'helper', SSH_TTY: '/dev/pts/1' }), 'browser'],
    ['no browser by name', surroundings({ BROWSER: 'none' }, 'darwin'), 'paste'],
  ];
  test.for(rows)('%s', ([, where, way]) => {
    expect(signInWay({ device: false, noBrowser: false }, where)).toBe(way);
  });

  test('what the person wants goes first', () => {
    const here = surroundings({ BROWSER: 'firefox' });
    expect(signInWay({ device: false, noBrowser: true }, here)).toBe('paste');
    expect(signInWay({ device: true, noBrowser: true }, here)).toBe('device');
  });
});

describe('browserCommand', () => {
  const url = new URL('https://auth.test/authorize?a=1&b=$(id)');
  const rows: readonly (readonly [Parameters<typeof signInWay>[1], readonly string[]])[] = [
    [surroundings({}), ['xdg-open', url.href]],
    [surroundings({}, 'darwin'), ['open', url.href]],
    [surroundings({}, 'win32'), ['rundll32', 'url.dll,FileProtocolHandler', url.href]],
    [surroundings({ BROWSER: 'firefox' }), ['firefox', url.href]],
    [surroundings({ BROWSER: 'firefox --new-tab %s:lynx' }), ['firefox', '--new-tab', url.href]],
    [surroundings({ BROWSER: 'C:\\browser.exe' }, 'win32'), ['C:\\browser.exe', url.href]],
  ];
  test.for(rows)('%o', ([where, words]) => {
    expect(browserCommand(url, where)).toEqual(words);
  });
});
