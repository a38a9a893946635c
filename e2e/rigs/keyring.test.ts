import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { JUNCTOR, makeHome, promise, ROOT, testServer, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { hasKeyring } from '../../scripts/system-parts.mjs';

const SECRET = 'a-value-that-a-keyring-opens-5f1c';
const EARLIER = 'a-value-that-lies-in-a-keyring-77ab';

const MISSING = 'there is no keyring here; to run it: apt-get install -y dbus gnome-keyring';

/** Where earlier versions put the value of the secret OLD of the file with this id. */
const FILE_ID = 'of-an-earlier-version';
const ACCOUNT = `OLD (${createHash('sha256').update(`${FILE_ID} OLD`).digest('hex').slice(0, 16)})`;
const PUT_EARLIER = `
  import { openKeyring } from '${join(ROOT, 'packages', 'core', 'src', 'config', 'secrets', 'keyring.ts')}';
  await (await openKeyring()).keyring.set('${ACCOUNT}', '${EARLIER}');
`;

describe('a machine with a keyring', () => {
  promise(
    ['1.7f'],
    'opens secrets with what lies there, also those of earlier versions, and servers get them',
    async ({ skip }) => {
      if (!hasKeyring()) skip(MISSING);
      await using home = await makeHome();
      const got = join(home.path, 'got');
      const { command, args } = testServer();
      const noting = ['-c', `printf '%s %s' "$FROM_KEYRING" "$EARLIER" > '${got}'; exec "$0" "$@"`, command, ...args];
      const env = { FROM_KEYRING: '${secret:MINE}', EARLIER: '${secret:OLD}' };
      const server = { ...trusted(testServer()), command: 'sh', args: noting, env };
      const old = [{ name: 'OLD', store: 'keyring' }];
      await home.write('data/secrets.json', { version: 1, id: FILE_ID, keys: {}, secrets: old });
      const config = await home.write('junctor.json', { version: 1, servers: { demo: server } });
      const junctor = `"${process.execPath}" "${JUNCTOR}"`;
      // A bus and a keyring of their own: both end with the shell.
      const script = await home.write(
        'with-keyring.sh',
        [
          'set -e',
          'printf unlocked | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1',
          `"${process.execPath}" --input-type=module -e "${PUT_EARLIER}"`,
          `printf %s ${SECRET} | ${junctor} secret set MINE`,
          `${junctor} secret list`,
          `${junctor} mcp call demo echo --config ${config} --args '{"text":"hello"}'`,
          `${junctor} secret list`,
          `${junctor} secret remove MINE`,
          `${junctor} mcp tools demo --config ${config} || true`,
        ].join('\n'),
      );
      const { JUNCTOR_KEYRING: _, ...surroundings } = home.env;
      const { stdout, stderr } = spawnSync('dbus-run-session', ['--', 'sh', script], {
        cwd: home.project,
        env: surroundings,
        encoding: 'utf8',
        timeout: 120_000,
      });
      expect(stdout, stderr).toContain("stored secret 'MINE' in the encrypted file, its key in the OS keyring");
      expect(stdout).toMatch(/MINE +file +keyring\nOLD +keyring\n/);
      expect(stdout).toMatch(/MINE +file +keyring\nOLD +file +keyring\n/);
      expect(await readFile(got, 'utf8')).toBe(`${SECRET} ${EARLIER}`);
      const written = await readFile(join(home.data, 'secrets.json'), 'utf8');
      for (const value of [SECRET, EARLIER]) expect(written + stdout + stderr).not.toContain(value);
      // Once it is gone, the server that names it is off, and says why.
      expect(stderr).toContain('the secret MINE (in env.FROM_KEYRING) is not set');
    },
  );

  promise(
    '9.9c',
    'seals with a key of the keyring, else of JUNCTOR_SECRET_KEY, else of a key file',
    async ({ skip }) => {
      if (!hasKeyring()) skip(MISSING);
      await using home = await makeHome();
      const lines = [
        `printf login-password | gnome-keyring-daemon --unlock --components=secrets > /dev/null`,
        'junctor() { "$NODE" "$JUNCTOR" "$@"; }',
        'read_token() { "$NODE" --input-type=module -e "$READ_TOKEN" "$1"; }',
        // All three are there, then two, then one.
        'export JUNCTOR_SECRET_KEY=some-words-of-mine',
        `printf ${SECRET} | junctor secret set ringed`,
        'test ! -e "$KEY_FILE" && export JUNCTOR_KEYRING=off',
        `printf ${SECRET} | junctor secret set worded`,
        'test ! -e "$KEY_FILE" && unset JUNCTOR_SECRET_KEY',
        `printf ${SECRET} | junctor secret set filed`,
        'export JUNCTOR_KEYRING=on',
        'junctor secret list',
        'junctor secret list --data elsewhere',
        'read_token ringed; read_token filed; JUNCTOR_SECRET_KEY=some-words-of-mine read_token worded',
        'JUNCTOR_KEYRING=off read_token ringed; read_token worded',
        'junctor secret remove ringed',
      ].join('\n');
      const key = join(dirname(home.userConfig), 'secret.key');
      const { stdout } = spawnSync('dbus-run-session', ['--', 'sh', '-c', lines], {
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
        ...[SECRET, SECRET, SECRET],
        "Secret 'ringed' was sealed with a key in the OS keyring, which cannot be reached.",
        "Secret 'worded' was sealed with JUNCTOR_SECRET_KEY, which is not set.",
        "removed secret 'ringed'",
        '',
      ]);
      for (const file of [join(home.data, 'secrets.json'), key]) {
        expect((await stat(file)).mode & 0o777).toBe(0o600);
        expect(await readFile(file, 'utf8')).not.toContain(SECRET);
      }
    },
  );
});

/** No command prints a value, so a program of our own has to. */
const READ_TOKEN = `
  import { openSecrets } from '${join(ROOT, 'packages', 'core', 'src', 'config', 'secrets', 'open-secrets.ts')}';
  const surroundings = { cwd: '.', home: process.env.HOME, env: process.env, platform: process.platform };
  const secrets = await openSecrets({ surroundings, dataDirectory: process.env.JUNCTOR_DATA });
  console.log(await secrets.get(process.argv[1]).catch(error => error.message));
`;
