import { createHost, type ServerStatus } from '@junctor/core';
import { junctor, makeHome, misbehaving, promise, testServer, trusted } from '@junctor/testkit';
import { startAuthority } from '@junctor/testkit/authority';
import { describe, expect } from 'vitest';

const stateOf = (status: readonly ServerStatus[]): Record<string, string> =>
  Object.fromEntries(status.map(({ id, state }) => [id, state]));

describe('the status of a server', () => {
  promise(['2.6a', '2.6b', '2.6d'], 'says how it is, what went wrong last, and when it was connected', async () => {
    await using authority = await startAuthority();
    const servers = {
      off: { ...testServer(), enabled: false },
      lazy: testServer(),
      good: trusted(testServer()),
      slow: misbehaving('never-answers'),
      dead: misbehaving('dies-early'),
      locked: { transport: 'http', url: authority.mcpUrl },
    };
    await using host = await createHost({ attempts: 1, config: { servers } });
    const begun = Date.now();
    void host.links.ready('slow').catch(() => {});
    await Promise.allSettled(['good', 'dead', 'locked'].map(id => host.links.ready(id)));
    const status = host.status();
    expect(stateOf(status)).toEqual({
      off: 'disabled',
      lazy: 'idle',
      good: 'ready',
      slow: 'connecting',
      dead: 'error',
      locked: 'auth_required',
    });
    const [good, dead] = ['good', 'dead'].map(id => status.find(one => one.id === id));
    expect(Date.parse(good?.last_connected_at ?? '')).toBeGreaterThanOrEqual(begun - 1000);
    expect(good?.last_error).toBeUndefined();
    expect(dead?.last_error).toMatchObject({ code: 'connection_failed', message: expect.stringContaining("'dead'") });
    expect(dead?.last_connected_at).toBeUndefined();
    // What went wrong stays to be read when it is mended.
    await host.links.close('good');
    expect(stateOf(host.status()).good).toBe('idle');
  });

  promise('2.6c', 'is untrusted while a project server waits for approval', async () => {
    await using home = await makeHome();
    await home.write('project/junctor.json', { version: 1, servers: { theirs: testServer() } });
    const surroundings = { cwd: home.project, home: home.path, env: home.env, platform: process.platform };
    await using host = await createHost({ surroundings });
    expect(host.status()).toMatchObject([
      {
        id: 'theirs',
        state: 'untrusted',
        last_error: { code: 'trust_required', hint: expect.stringContaining('trust add') },
      },
    ]);
    await junctor(home, ['trust', 'add', 'theirs']);
    await host.reload();
    expect(stateOf(host.status()).theirs).toBe('idle');
  });
});
