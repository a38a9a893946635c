import { rename, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHost, type Host, type JunctorError, watchHost } from '@junctor/core';
import { type Home, makeHome, promise, testServer, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';

const demo = (...args: string[]) => trusted(testServer(...args));

/** A host that follows the user file of a house, and what it was told. */
async function following(home: Home) {
  const surroundings = { cwd: home.project, home: home.path, env: home.env, platform: process.platform };
  const options = { surroundings };
  const host = await createHost(options);
  const told: (string | { code: string; why: string | undefined })[] = [];
  const watch = watchHost(host, options, {
    onReload: changes => told.push(JSON.stringify(changes)),
    onProblem: (error: JunctorError) => told.push({ code: error.code, why: error.why }),
  });
  return {
    host,
    told,
    async [Symbol.asyncDispose]() {
      watch.close();
      await host.close();
    },
  };
}

/** As editors save: nobody sees half of a file. */
async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.draft`;
  await writeFile(draft, text);
  await rename(draft, file);
}

const pid = async (host: Host, server: string) => (await host.call({ server, tool: 'pid' })).output;

describe('a changed config', () => {
  promise(['1.11a', '1.11b'], 'adds, removes and restarts the servers that changed, and no other', async () => {
    await using home = await makeHome();
    const file = await home.write('config/junctor/config.json', {
      servers: { same: demo(), gone: demo(), other: demo() },
    });
    const save = (servers: object) => replace(file, JSON.stringify({ servers }));
    await using running = await following(home);
    const { host, told } = running;
    const before = await Promise.all(['same', 'other'].map(id => pid(host, id)));
    await save({ same: demo(), other: demo('--tools', '20'), fresh: demo() });
    await expect.poll(() => told).toEqual(['{"added":["fresh"],"removed":["gone"],"changed":["other"]}']);
    const after = await Promise.all(['same', 'other'].map(id => pid(host, id)));
    expect([after[0] === before[0], after[1] === before[1]]).toEqual([true, false]);
    await expect(host.call({ server: 'gone', tool: 'pid' })).rejects.toMatchObject({ code: 'server_unknown' });
    expect(Number(await pid(host, 'fresh'))).toBeGreaterThan(0);
  });

  promise(['1.11c', '1.11d'], 'that is broken is announced, and the last good one stays', async () => {
    await using home = await makeHome();
    const file = await home.write('config/junctor/config.json', { servers: { demo: demo() } });
    await using running = await following(home);
    const { host, told } = running;
    const before = await pid(host, 'demo');
    await replace(file, '{ "servers": { "demo": ');
    await expect.poll(() => told.length).toBe(1);
    expect(told[0]).toMatchObject({ code: 'config_invalid' });
    await replace(file, JSON.stringify({ servers: { demo: { transport: 'stdio' } } }));
    await expect.poll(() => told.length).toBe(2);
    expect(await pid(host, 'demo')).toBe(before);
    await replace(file, JSON.stringify({ servers: { demo: demo(), more: demo() } }));
    await expect.poll(() => told.at(-1)).toBe('{"added":["more"],"removed":[],"changed":[]}');
    expect(await pid(host, 'demo')).toBe(before);
  });

  promise('1.11a', 'is noticed when saved by rename, behind a symlink, and when the file appears later', async () => {
    await using home = await makeHome();
    await using running = await following(home);
    const { told } = running;
    const text = (...ids: string[]) => JSON.stringify({ servers: Object.fromEntries(ids.map(id => [id, demo()])) });
    await home.write('config/junctor/config.json', text('appeared'));
    await expect.poll(() => told.at(-1)).toContain('appeared');
    const draft = await home.write('config/junctor/.config.json.swp', text('appeared', 'renamed'));
    await rename(draft, join(home.path, 'config', 'junctor', 'config.json'));
    await expect.poll(() => told.at(-1)).toContain('renamed');
    const real = await home.write('dotfiles/junctor.json', text('appeared', 'renamed', 'linked'));
    await unlink(join(home.path, 'config', 'junctor', 'config.json'));
    await symlink(real, join(home.path, 'config', 'junctor', 'config.json'));
    await expect.poll(() => told.at(-1)).toContain('linked');
    await writeFile(real, text('appeared', 'renamed', 'linked', 'edited'));
    await expect.poll(() => told.at(-1)).toContain('edited');
  });
});
