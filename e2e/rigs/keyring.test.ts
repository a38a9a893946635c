import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JUNCTOR, makeHome, promise, testServer, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { hasKeyring } from '../../scripts/system-parts.mjs';

const SECRET = 'a-value-that-lies-in-a-keyring-5f1c';

describe('a machine with a keyring', () => {
  promise(['1.7f'], 'keeps the values of secrets there, and servers get them from there', async ({ skip }) => {
    if (!hasKeyring()) skip('there is no keyring here; to run it: apt-get install -y dbus gnome-keyring');
    await using home = await makeHome();
    const got = join(home.path, 'got');
    const { command, args } = testServer();
    const noting = ['-c', `printf %s "$FROM_KEYRING" > '${got}'; exec "$0" "$@"`, command, ...args];
    const server = { ...trusted(testServer()), command: 'sh', args: noting, env: { FROM_KEYRING: '${secret:MINE}' } };
    const config = await home.write('junctor.json', { version: 1, servers: { demo: server } });
    const junctor = `"${process.execPath}" "${JUNCTOR}"`;
    // A bus and a keyring of their own: both end with the shell.
    const script = await home.write(
      'with-keyring.sh',
      [
        'set -e',
        'printf unlocked | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1',
        `printf %s ${SECRET} | ${junctor} secret set MINE`,
        `${junctor} secret list`,
        `${junctor} mcp call demo echo --config ${config} --args '{"text":"hello"}'`,
        `${junctor} secret remove MINE`,
        `${junctor} mcp tools demo --config ${config} || true`,
      ].join('\n'),
    );
    const { JUNCTOR_KEYRING: _, ...env } = home.env;
    const { stdout, stderr } = spawnSync('dbus-run-session', ['--', 'sh', script], {
      cwd: home.project,
      env,
      encoding: 'utf8',
      timeout: 120_000,
    });
    expect(stdout, stderr).toContain("stored secret 'MINE' in the OS keyring");
    expect(stdout).toMatch(/MINE +keyring/);
    expect(await readFile(got, 'utf8')).toBe(SECRET);
    expect(await readFile(join(home.data, 'secrets.json'), 'utf8')).not.toContain(SECRET);
    expect(stdout + stderr).not.toContain(SECRET);
    // Once it is gone, the server that names it is off, and says why.
    expect(stderr).toContain('the secret MINE (in env.FROM_KEYRING) is not set');
  });
});
