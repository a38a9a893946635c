/** An SSH server of its own for one test file, on loopback, with keys that are thrown away. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { quietPort } from '@junctor/testkit';
import { hasSshServer } from '../../scripts/system-parts.mjs';

export interface SshServer extends AsyncDisposable {
  readonly port: number;
  readonly folder: string;
  /** An ssh config that knows it under the name `far`, and another machine of this name that nobody has seen: `stranger`. */
  readonly configFile: string;
}

/** Why there is none on this machine; undefined where there is one. */
export function whyNoSsh(): string | undefined {
  return hasSshServer() ? undefined : 'there is no sshd here; to run it: apt-get install -y openssh-server';
}

/** `settings`: further lines of its config. */
export async function startSsh(...settings: string[]): Promise<SshServer> {
  const folder = mkdtempSync('/tmp/junctor-ssh-');
  const key = (name: string): string => {
    const file = join(folder, name);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
    return file;
  };
  const [hostKey, userKey] = [key('host'), key('user')];
  const port = await quietPort();
  const known = join(folder, 'known');
  writeFileSync(known, `[127.0.0.1]:${port} ${readFileSync(`${hostKey}.pub`, 'utf8')}`);
  writeFileSync(
    join(folder, 'sshd'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${hostKey}`,
      `AuthorizedKeysFile ${userKey}.pub`,
      'StrictModes no',
      'UsePAM no',
      'PidFile none',
      'PermitRootLogin yes',
      ...settings,
    ].join('\n'),
  );
  const common = ['HostName 127.0.0.1', `Port ${port}`, `User ${userInfo().username}`, `IdentityFile ${userKey}`];
  const configFile = join(folder, 'config');
  writeFileSync(
    configFile,
    [
      ...['Host far', ...common, `UserKnownHostsFile ${known}`],
      ...['Host stranger', ...common, 'UserKnownHostsFile /dev/null', 'StrictHostKeyChecking yes'],
    ].join('\n'),
  );
  mkdirSync('/run/sshd', { recursive: true });
  const { LC_JUNCTOR_TEST: _mark, ...env } = process.env;
  const sshd = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', join(folder, 'sshd')], { stdio: 'ignore', env });
  while (!(await listens(port))) {
    if (sshd.exitCode !== null) throw new Error('sshd did not start');
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  return {
    port,
    folder,
    configFile,
    async [Symbol.asyncDispose]() {
      sshd.kill('SIGTERM');
      await once(sshd, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
