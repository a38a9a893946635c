import { describe, expect, test } from 'vitest';
import { isInside, isShown, sandboxView } from './sandbox-view.ts';
import { seatbeltProfile } from './seatbelt.ts';

const me = { cwd: '/home/me/project', home: '/home/me', secluded: ['/home/me/project/.junctor'] };

function lastWord(path: string, settings: object = {}, from: object = {}): string | undefined {
  const view = sandboxView(settings, { ...me, ...from }, 'linux');
  return view.findLast(folder => isInside(path, folder.path))?.as;
}

describe('what a server in the sandbox sees', () => {
  test.each([
    ['programs of the system', '/usr/bin/node', {}, 'readable'],
    ['names of users', '/etc/passwd', {}, 'readable'],
    ['their passwords', '/etc/shadow', {}, 'hidden'],
    ['any other folder', '/srv/other/secret', {}, 'hidden'],
    ['another one', '/data', {}, 'hidden'],
    ['the machine itself', '/sys/kernel', {}, 'hidden'],
    ['its own folder', '/home/me/project/src', {}, 'writable'],
    ['the home directory', '/home/me/.ssh/id', {}, 'hidden'],
    ['that of others', '/home/you', {}, 'hidden'],
    ['sockets of other programs', '/run/docker.sock', {}, 'hidden'],
    ['sockets of those that make machines', '/var/snap/lxd/common/lxd/unix.socket', {}, 'hidden'],
    ['our own data, though it lies in its folder', '/home/me/project/.junctor/hub.json', {}, 'hidden'],
    ['our own data, though it is named', '/home/me/project/.junctor', { writable: ['.junctor'] }, 'hidden'],
    ['a folder that is named from home', '/home/me/.nvm/node', { readable: ['~/.nvm'] }, 'readable'],
    ['a folder that is named from its own', '/home/me/data', { writable: ['../data'] }, 'writable'],
    ['one that is both', '/srv/data', { readable: ['/srv/data'], writable: ['/srv/data'] }, 'writable'],
    ['its own folder in one to read', '/home/me/project', { readable: ['/home/me'] }, 'writable'],
  ])('%s', (_title, path, settings, expected) => {
    expect(lastWord(path, settings)).toBe(expected);
  });

  test.each(['/home/me', '/home', '/'])('started in %s it does not get the home directory for that', cwd => {
    expect(lastWord('/home/me/.ssh', {}, { cwd })).toBe('hidden');
  });

  test('a file is shown as the innermost folder is', () => {
    const view = sandboxView({ readable: ['~/.nvm'] }, me, 'linux');
    const files = ['/usr/bin/node', '/home/me/.nvm/bin/node', '/home/me/bin/node', '/home/me/.nvmrc'];
    expect(files.map(file => isShown(file, view))).toEqual([true, true, false, false]);
  });
});

test('on macOS, where the system shows all, what belongs to people is hidden', () => {
  const view = sandboxView({}, me, 'darwin');
  expect(['/home/me/.ssh', '/tmp/x', '/Applications/x'].map(file => isShown(file, view))).toEqual([false, false, true]);
});

test('a profile for macOS says the same, the last rule counting', () => {
  const view = [{ path: '/Users/me', as: 'hidden' } as const, { path: '/Users/me/"a"', as: 'writable' } as const];
  expect(seatbeltProfile(view, { network: false, temporary: '/private/var/t' }).split('\n')).toEqual([
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(deny file-read-data file-write* (subpath "/Users/me"))',
    '(allow file-read* (subpath "/Users/me/\\"a\\""))',
    '(allow file-write* (subpath "/Users/me/\\"a\\""))',
    '(allow file-read* file-write* (subpath "/dev") (subpath "/private/var/t"))',
    '(deny network*)',
  ]);
});
