import { describe, expect, test } from 'vitest';
import { invocationOf, unquotable } from './batch-file.ts';

const windows = { platform: 'win32', interpreter: 'C:\\Windows\\System32\\cmd.exe' } as const;
const NPX = 'C:\\Program Files\\nodejs\\npx.cmd';

describe('a batch file on Windows', () => {
  test('is started through the command interpreter', () => {
    expect(invocationOf(NPX, ['-y', 'a b'], windows)).toEqual({
      file: 'C:\\Windows\\System32\\cmd.exe',
      args: ['/d', '/e:on', '/v:off', '/s', '/c', `""${NPX}" "-y" "a b""`],
      verbatim: true,
    });
  });

  test.each([
    ['plain', '"plain"'],
    ['', '""'],
    ['two words', '"two words"'],
    ['a&calc', '"a&calc"'],
    ['a|b>c<d^e', '"a|b>c<d^e"'],
    ['say "hi"', '"say ""hi"""'],
    ['"&calc&"', '"""&calc&"""'],
    ['C:\\folder\\', '"C:\\folder\\\\"'],
    ['back\\"slash', '"back\\\\""slash"'],
    ['%PATH%', '"%%cd:~,%PATH%%cd:~,%"'],
    ['50%', '"50%%cd:~,%"'],
    ['!x!', '"!x!"'],
    ['grüße', '"grüße"'],
  ])('gets %j as %s', (arg, quoted) => {
    const [line] = invocationOf('C:\\x.cmd', [arg], windows).args.slice(-1);
    expect(line).toBe(`""C:\\x.cmd" ${quoted}"`);
  });

  test('cannot be given a line break', () => {
    expect([unquotable(['a', 'b\nc']), unquotable(['a', 'b'])]).toEqual(['b\nc', undefined]);
  });
});

test.each([
  ['a program on Windows', 'C:\\x.exe', 'win32'],
  ['anything elsewhere', '/usr/bin/x.cmd', 'linux'],
] as const)('%s is started as it is', (_title, file, platform) => {
  expect(invocationOf(file, ['a "b"'], { platform, interpreter: undefined })).toEqual({
    file,
    args: ['a "b"'],
    verbatim: false,
  });
});
