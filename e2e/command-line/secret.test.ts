import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Home, JUNCTOR, junctor, makeHome, promise, ROOT } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';

const VALUE = 'correct-horse-battery';

/** A program that some machines have and some have not. */
const TERMINAL = 'script';

/** Past whatever keyring the machine has. */
function inFile(home: Home, words: readonly string[], more: { input?: string; env?: Record<string, string> } = {}) {
  return junctor(home, ['secret', ...words], { ...more, env: { JUNCTOR_KEYRING: 'off', ...more.env } });
}

describe('junctor secret', () => {
  promise(['8.10a', '1.7i'], 'sets, lists and removes, and shows names only', async () => {
    await using home = await makeHome();
    expect(await inFile(home, ['list'])).toEqual({ code: 0, stdout: 'no secrets stored\n', stderr: '' });
    expect(await inFile(home, ['set', 'api.key'], { input: `${VALUE}\n` })).toEqual({
      code: 0,
      stdout: "stored secret 'api.key' in the encrypted file\n",
      stderr: '',
    });
    const set = await inFile(home, ['set', 'other', '--json'], { input: VALUE });
    expect(JSON.parse(set.stdout)).toEqual({ name: 'other', store: 'file', key: 'key_file' });
    expect((await inFile(home, ['list'])).stdout).toBe(
      'NAME     STORE  KEY\napi.key  file   key file\nother    file   key file\n',
    );
    expect(JSON.parse((await inFile(home, ['list', '--json'])).stdout)).toEqual({
      secrets: [
        { name: 'api.key', store: 'file', key: 'key_file' },
        { name: 'other', store: 'file', key: 'key_file' },
      ],
      store: 'file',
      key: 'key_file',
    });
    expect((await inFile(home, ['remove', 'api.key'])).stdout).toBe("removed secret 'api.key'\n");
    expect(JSON.parse((await inFile(home, ['remove', 'other', '--json'])).stdout)).toEqual({
      name: 'other',
      removed: true,
    });
    expect((await inFile(home, ['list'])).stdout).toBe('no secrets stored\n');
  });

  test('used wrongly says how, and repeats no value', async () => {
    await using home = await makeHome();
    const outcomes = await Promise.all([
      inFile(home, ['set', 'token', VALUE, '--debug']),
      inFile(home, ['set', 'token'], { input: '\n' }),
      inFile(home, ['set', 'no good'], { input: VALUE }),
      inFile(home, ['set', 'token'], { input: VALUE, env: { JUNCTOR_KEYRING: 'of' } }),
      inFile(home, ['remove', 'nobody']),
    ]);
    expect(outcomes.map(({ code, stdout, stderr }) => [code, stdout, stderr.split('\n')[0]])).toEqual([
      [2, '', 'error: The value of a secret is not given on the command line. (usage)'],
      [2, '', "error: Secret 'token' was given no value. (usage)"],
      [2, '', "error: 'no good' cannot name a secret. (usage)"],
      [2, '', "error: JUNCTOR_KEYRING cannot be 'of'. (usage)"],
      [1, '', "error: There is no secret 'nobody'. (secret_unknown)"],
    ]);
    expect(outcomes.map(({ stderr }) => stderr).join()).not.toContain(VALUE);
    await inFile(home, ['set', 'token'], { input: VALUE });
    expect((await inFile(home, ['remove', 'tokn'])).stderr).toContain("try: did you mean 'token'?");
  });

  test('says what to do when JUNCTOR_SECRET_KEY is not the one of before', async () => {
    await using home = await makeHome();
    const set = (name: string, key: string) =>
      inFile(home, ['set', name, '--debug'], { input: VALUE, env: { JUNCTOR_SECRET_KEY: key } });
    expect((await set('first', 'one key')).code).toBe(0);
    const { code, stdout, stderr } = await set('second', 'another key');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(
      [
        "error: Secret 'first' was sealed with another JUNCTOR_SECRET_KEY than the one set now. (secret_unreadable)",
        '  try: set JUNCTOR_SECRET_KEY to what it was then, or give the secret up: junctor secret remove first',
      ].join('\n'),
    );
    for (const hidden of [VALUE, 'one key', 'another key']) expect(stderr).not.toContain(hidden);
    expect((await set('second', 'one key')).code).toBe(0);
  });

  test('asks at a terminal, and shows nothing of what is typed', async context => {
    if (spawnSync(TERMINAL, ['--version']).status !== 0) context.skip(`the program \`${TERMINAL}\` is not installed`);
    await using home = await makeHome();
    const typed = await typeAt(home, ['secret', 'set', 'token'], /Value of secret 'token', not shown: /, `${VALUE}\r`);
    expect(typed).toEqual({
      code: 0,
      screen: "Value of secret 'token', not shown: \r\nstored secret 'token' in the encrypted file\r\n",
    });
    expect((await inFile(home, ['list'])).stdout).toContain('token');
    const left = await typeAt(home, ['secret', 'set', 'never'], /not shown: /, 'half of it\u0003');
    expect(left).toEqual({
      code: 130,
      screen: "Value of secret 'never', not shown: \r\nerror: Interrupted. (cancelled)\r\n",
    });
    expect((await inFile(home, ['list'])).stdout).not.toContain('never');
  });

  promise('9.9d', 'has a page that says what the key file does not protect', async () => {
    const page = await readFile(join(ROOT, 'docs', 'secrets.md'), 'utf8');
    const limits = page.split('\n## What this does not protect\n')[1] ?? '';
    for (const word of ['key file', 'JUNCTOR_SECRET_KEY', 'keyring', 'Names', 'Memory']) expect(limits).toContain(word);
  });
});

/** Runs a command at a terminal of its own, one that echoes, and types when the screen shows the question. */
async function typeAt(home: Home, words: readonly string[], question: RegExp, keys: string) {
  const command = [process.execPath, JUNCTOR, ...words].join(' ');
  const child = spawn(
    TERMINAL,
    ['--quiet', '--flush', '--return', '--echo', 'always', '--command', command, '/dev/null'],
    {
      cwd: home.project,
      env: { ...home.env, JUNCTOR_KEYRING: 'off', SHELL: '/bin/sh' },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  let screen = '';
  let typed = false;
  child.stdout.setEncoding('utf8').on('data', text => {
    screen += text;
    if (typed || !question.test(screen)) return;
    typed = true;
    child.stdin.write(keys);
  });
  const [code] = await once(child, 'close');
  return { code, screen };
}
