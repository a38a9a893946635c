import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Home, JUNCTOR, junctor, makeHome, promise, ROOT } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';

const VALUE = 'correct-horse-battery';

/** Programs that some machines have and some have not. */
const TERMINAL = 'script';
const SESSION = 'dbus-run-session';
const KEYRING = 'gnome-keyring-daemon';

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
      [2, '', "error: JUNCTOR_KEYRING is 'of'; it can be 'on' or 'off'. (usage)"],
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

  promise('9.9c', 'seals with a key of the keyring, else of JUNCTOR_SECRET_KEY, else of a key file', async context => {
    for (const program of [SESSION, KEYRING]) {
      if (spawnSync(program, ['--version']).status !== 0) context.skip(`the program \`${program}\` is not installed`);
    }
    await using home = await makeHome();
    const lines = [
      `printf login-password | ${KEYRING} --unlock --components=secrets > /dev/null`,
      'junctor() { "$NODE" "$JUNCTOR" "$@"; }',
      'read_token() { "$NODE" --input-type=module -e "$READ_TOKEN" "$1"; }',
      // All three are there, then two, then one.
      'export JUNCTOR_SECRET_KEY=some-words-of-mine',
      `printf ${VALUE} | junctor secret set ringed`,
      'test ! -e "$KEY_FILE" && export JUNCTOR_KEYRING=off',
      `printf ${VALUE} | junctor secret set worded`,
      'test ! -e "$KEY_FILE" && unset JUNCTOR_SECRET_KEY',
      `printf ${VALUE} | junctor secret set filed`,
      'export JUNCTOR_KEYRING=on',
      'junctor secret list',
      'junctor secret list --data elsewhere',
      'read_token ringed; read_token filed; JUNCTOR_SECRET_KEY=some-words-of-mine read_token worded',
      'JUNCTOR_KEYRING=off read_token ringed; read_token worded',
      'junctor secret remove ringed',
    ].join('\n');
    const key = join(dirname(home.userConfig), 'secret.key');
    const { stdout } = spawnSync(SESSION, ['--', 'sh', '-c', lines], {
      cwd: home.project,
      env: {
        ...home.env,
        JUNCTOR_KEYRING: 'on',
        XDG_RUNTIME_DIR: home.path,
        NODE: process.execPath,
        KEY_FILE: key,
        JUNCTOR,
        READ_TOKEN,
      },
      encoding: 'utf8',
    });
    expect(stdout.split('\n')).toEqual([
      "stored secret 'ringed' in the encrypted file, its key in the OS keyring",
      "stored secret 'worded' in the encrypted file",
      "stored secret 'filed' in the encrypted file",
      'NAME    STORE  KEY',
      'filed   file   key file',
      'ringed  file   keyring',
      'worded  file   JUNCTOR_SECRET_KEY',
      'no secrets stored',
      ...[VALUE, VALUE, VALUE],
      "Secret 'ringed' was sealed with a key in the OS keyring, which cannot be reached.",
      "Secret 'worded' was sealed with JUNCTOR_SECRET_KEY, which is not set.",
      "removed secret 'ringed'",
      '',
    ]);
    for (const file of [join(home.data, 'secrets.json'), key]) {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await readFile(file, 'utf8')).not.toContain(VALUE);
    }
  });

  promise('9.9d', 'has a page that says what the key file does not protect', async () => {
    const page = await readFile(join(ROOT, 'docs', 'secrets.md'), 'utf8');
    const limits = page.split('\n## What this does not protect\n')[1] ?? '';
    for (const word of ['key file', 'JUNCTOR_SECRET_KEY', 'keyring', 'Names', 'Memory']) expect(limits).toContain(word);
  });
});

/** No command prints a value, so a program of our own has to. */
const READ_TOKEN = `
  import { openSecrets } from '${join(ROOT, 'packages', 'core', 'src', 'config', 'secrets', 'open-secrets.ts')}';
  const surroundings = { cwd: '.', home: process.env.HOME, env: process.env, platform: process.platform };
  const secrets = await openSecrets({ surroundings, dataDirectory: process.env.JUNCTOR_DATA });
  console.log(await secrets.get(process.argv[1]).catch(error => error.message));
`;

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
