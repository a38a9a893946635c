/** A hub of a house's own config and data, for as long as something is done. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Home, JUNCTOR } from '@junctor/testkit';

export async function hubWith(home: Home, act: () => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, [JUNCTOR, 'hub', '--json', '--port', '0'], {
    cwd: home.project,
    env: home.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    // It says where it is once it serves.
    await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`the hub ended with code ${code}`))),
    ]);
    await act();
  } finally {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  }
}
