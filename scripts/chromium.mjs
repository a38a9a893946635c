// Where a browser is to look at the page with. On Debian, as root, one is installed; elsewhere its tests are skipped, and say so.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { say } from './setup.mjs';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const INSTALL_LIMIT_MS = 180_000;

/** Undefined where there is none. `JUNCTOR_CHROMIUM` names another one. */
export function findChromium() {
  return [process.env.JUNCTOR_CHROMIUM, ...PLACES].find(place => place && existsSync(place));
}

/** Finds a browser, or installs one where that harms nobody: a container of a build. */
export function provideChromium() {
  if (findChromium() || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  say('installing Chromium for the tests of the page (once; about half a minute) …');
  const limits = {
    stdio: 'ignore',
    timeout: INSTALL_LIMIT_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  const apt = (...words) => spawnSync('apt-get', words, limits).status === 0;
  if (apt('install', '-y', 'chromium') || (apt('update') && apt('install', '-y', 'chromium'))) return;
  say('Chromium cannot be installed here; the tests of the page are skipped.');
}
