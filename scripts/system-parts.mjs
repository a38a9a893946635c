// Programs that tests need and npm has not. On Debian, as root, they are installed; elsewhere their tests are skipped, and say so.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { say } from './setup.mjs';

const BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** A mirror that is slow is waited for: where a part is missing, what it proves counts as not proved. */
const INSTALL_LIMIT_MS = 300_000;
/** A mirror that fails once answers the next time; another program that installs something ends. */
const PATIENT = ['-o', 'Acquire::Retries=5', '-o', 'DPkg::Lock::Timeout=120'];

/** Undefined where there is none. `JUNCTOR_CHROMIUM` names another one. */
export function findChromium() {
  return [process.env.JUNCTOR_CHROMIUM, ...BROWSERS].find(place => place && existsSync(place));
}

/** Whether a keyring can be had for a test alone: a bus of its own, and a daemon on it. */
export function hasKeyring() {
  return existsSync('/usr/bin/dbus-run-session') && existsSync('/usr/bin/gnome-keyring-daemon');
}

/** What makes a sandbox on Linux. */
export function hasBubblewrap() {
  return existsSync('/usr/bin/bwrap');
}

/** The program for clusters; the cluster itself is the tests' own. */
export function hasKubectl() {
  return ['/usr/bin/kubectl', '/usr/local/bin/kubectl'].some(place => existsSync(place));
}

export function hasDocker() {
  return existsSync('/usr/bin/dockerd') || existsSync('/usr/sbin/dockerd');
}

export function hasSshServer() {
  return existsSync('/usr/sbin/sshd') && existsSync('/usr/bin/ssh');
}

/** With what makes its certificate. */
export function hasNginx() {
  return existsSync('/usr/sbin/nginx') && existsSync('/usr/bin/openssl');
}

export function provideChromium() {
  if (!findChromium()) install('Chromium, for the tests of the page', 'chromium');
}

export function provideKeyring() {
  if (!hasKeyring()) install('a keyring, for the tests of secrets', 'dbus', 'gnome-keyring');
}

export function provideBubblewrap() {
  if (!hasBubblewrap()) install('bubblewrap, for the tests of the sandbox', 'bubblewrap');
}

export function provideKubectl() {
  if (!hasKubectl()) install('kubectl, for the tests of clusters', 'kubernetes-client');
}

export function provideNginx() {
  if (!hasNginx())
    install('nginx, for the tests of a hub behind it', '--no-install-recommends', 'nginx-light', 'openssl');
}

export function provideDockerAndSsh() {
  if (!hasDocker()) install('Docker, for the tests of executors', '--no-install-recommends', 'docker.io', 'iproute2');
  if (!hasSshServer())
    install('an SSH server, for the tests of executors', '--no-install-recommends', 'openssh-server');
}

/** Only where that harms nobody: in a container of a build. */
function install(what, ...packages) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  say(`installing ${what} (once; about half a minute) …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...words) =>
    spawnSync('apt-get', [...PATIENT, ...words], { stdio: 'ignore', timeout: INSTALL_LIMIT_MS, env }).status === 0;
  if (apt('install', '-y', ...packages) || (apt('update') && apt('install', '-y', ...packages))) return;
  say('that cannot be installed here; those tests are skipped.');
}
