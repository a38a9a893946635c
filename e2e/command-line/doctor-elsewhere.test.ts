/** The doctor and servers that end a moment after the connection to their machine is gone. */
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { junctor, makeHome, misbehaving, processesMarked, promise, trusted } from '@junctor/testkit';
import { expect } from 'vitest';

promise('5.5s', 'a server over ssh that is ended by its watcher is not called left over', async () => {
  await using home = await makeHome();
  // What stands for the other machine runs here, in a session and an environment of its own, as an sshd starts it.
  const ssh = '#!/bin/sh\nfor last; do :; done\nexec setsid --wait env -i "PATH=$PATH" sh -c ":; $last"\n';
  await chmod(await home.write('bin/ssh', ssh), 0o755);
  home.env.PATH = `${join(home.path, 'bin')}:${home.env.PATH}`;
  const demo = { ...trusted(misbehaving('stubborn')), env: { LC_STUBBORN: home.path } };
  await home.write('config/junctor/config.json', { servers: { demo }, executors: { far: { ssh: { host: 'far' } } } });
  const { code, stdout } = await junctor(home, ['doctor', 'demo', '--executor', 'far']);
  expect(stdout).toContain('nothing that was started for it runs any more');
  expect(code).toBe(0);
  expect(processesMarked(`LC_STUBBORN=${home.path}`)).toEqual([]);
});
