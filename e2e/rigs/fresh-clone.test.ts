import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { makeHome, promise, ROOT } from '@junctor/testkit';
import { expect } from 'vitest';

promise(
  ['8.1a', '8.1b', '8.1c', '9.3g', '9.13a'],
  'a fresh clone needs nothing but npm start and npm test, whatever Node the machine has; npm test keeps its time',
  async () => {
    await using home = await makeHome();
    const clone = join(home.path, 'clone');
    execFileSync('git', ['clone', '--quiet', ROOT, clone]);
    // npm's own settings and cache lie in the real home; everything else is as on a machine that never saw Junctor.
    const env = { ...home.env, HOME: process.env.HOME ?? home.path, PATH: machinePath() };
    const npm = spawn('npm', ['start', '--', '--port', '0'], {
      cwd: clone,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let complaints = '';
    npm.stderr.setEncoding('utf8').on('data', chunk => {
      complaints += chunk;
    });
    const url = await printedUrl(npm.stdout);
    expect(complaints).toContain('installing packages');
    expect(complaints).toContain('building');
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    process.kill(-(npm.pid as number), 'SIGINT');
    await once(npm, 'exit');
    const junctor = spawnSync('npx', ['junctor', '--version'], { cwd: clone, env, encoding: 'utf8' });
    expect(junctor.stdout).toBe('0.1.0\n');
    const tests = spawnSync('npm', ['test', '--', 'packages/core/src/base'], { cwd: clone, env, encoding: 'utf8' });
    expect(tests.stdout).toMatch(/^\d+ passed, 0 failed$/m);
    expect(tests.stderr).toMatch(/^junctor: took \d+ min \d+ s of a budget of 10 min\.$/m);
    expect(tests.status).toBe(0);
  },
);

/** PATH as the machine has it: without the Node that this workspace brought along. */
function machinePath(): string {
  return (process.env.PATH ?? '')
    .split(':')
    .filter(entry => !entry.startsWith(ROOT))
    .join(':');
}

function printedUrl(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    stream.setEncoding('utf8');
    stream.on('data', chunk => {
      printed += chunk;
      const url = /Junctor hub: (http:\S+)/.exec(printed)?.[1];
      if (url) resolve(url);
    });
    stream.on('end', () => reject(new Error(`npm start ended: ${printed}`)));
  });
}
