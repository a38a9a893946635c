import { join } from 'node:path';
import { junctor, makeHome, promise, startHub, trusted } from '@junctor/testkit';
import { expect } from 'vitest';
import { listing, tool } from '../tools/listing.ts';
import { described } from './said.ts';

promise('7.8c', 'explain says why a tool is deferred: its bundle, or the length of all descriptions', async () => {
  await using home = await makeHome();
  const servers = {
    big: trusted(await listing(home, 'big', described(60, 40_000))),
    small: trusted(await listing(home, 'small', [tool('one')])),
  };
  const config = {
    servers,
    bundles: { quiet: { serverId: 'small', mode: 'meta' } },
    agents: { codex: { search: { context_threshold: 0.05 } }, cursor: {} },
  };
  const source = join(home.path, 'config/junctor/config.json');
  await home.write('config/junctor/config.json', config);
  const explain = async (what: string, agent: string, ...more: string[]) =>
    JSON.parse((await junctor(home, ['explain', what, '--agent', agent, '--json', ...more])).stdout);
  for (const more of [['--fresh'], []]) {
    expect(await explain('small/one', 'cursor', ...more)).toMatchObject({
      name: 'small_one',
      offer: {
        state: 'deferred',
        because: "the bundle 'quiet' has mode meta: find_tools finds it",
        at: { layer: 'user', source, place: { line: expect.any(Number) } },
        hint: 'set its mode to direct',
      },
    });
    await explain('big/lookup_7', 'codex', ...more);
    expect(await explain('big/lookup_7', 'codex', ...more)).toMatchObject({
      offer: {
        state: 'deferred',
        because:
          'descriptions have 40000 characters, and from 25000 on, in a window of 200000 tokens, find_tools finds them',
        at: { layer: 'user', source, place: { line: expect.any(Number) } },
      },
    });
    expect(await explain('big/lookup_7', 'cursor', ...more)).toMatchObject({ offer: { state: 'offered' } });
  }
  const told = await junctor(home, ['explain', 'small/one']);
  expect(told.stdout).toContain("the bundle 'quiet' has mode meta");
  const ready = await junctor(home, [
    'preflight',
    '--agent',
    'codex',
    '--executor',
    'local',
    'big/lookup_7',
    'small/one',
  ]);
  expect([ready.code, ready.stderr]).toEqual([0, '']);
  await using hub = await startHub(home, config);
  await expect.poll(async () => (await hub.fetch('/api/status')).text()).not.toContain('"connecting"');
  const asked = await hub.fetch('/api/explain?server=big&tool=lookup_7&agent=codex');
  expect(await asked.json()).toMatchObject({ offer: { state: 'deferred' } });
});
