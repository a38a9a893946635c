import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHost } from '@junctor/core';
import { type Home, junctor, makeHome, promise, testServer, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';

const call = (home: Home, ...more: string[]) =>
  junctor(home, ['mcp', 'call', 'demo', 'echo', '--args', '{"text":"hi"}', '--yes', ...more]);

describe('a server that came with a project', () => {
  promise(
    ['1.13a', '1.13c', '8.10b', '8.10c', '8.10d', '9.4b', '8.22d'],
    'starts only after a person approved it',
    async () => {
      await using home = await makeHome();
      const marker = join(home.path, 'started');
      const touching = {
        ...testServer(),
        command: 'sh',
        args: ['-c', `touch ${marker}; exec ${process.execPath} "$@"`, 'sh', ...testServer().args],
      };
      await home.write('project/junctor.json', { servers: { demo: touching } });
      const refused = await call(home);
      expect([refused.code, refused.stdout]).toEqual([3, '']);
      expect(refused.stderr).toContain('junctor trust add demo');
      await expect(readFile(marker)).rejects.toThrow('ENOENT');
      expect((await junctor(home, ['trust'])).stdout).toMatch(/demo +waiting/);
      expect((await junctor(home, ['trust', 'add', 'demo'])).stdout).toBe('approved demo\n');
      expect((await junctor(home, ['trust', 'list'])).stdout).toMatch(/demo +approved/);
      expect((await call(home)).stdout).toBe('hi\n');
      expect((await junctor(home, ['trust', 'remove', 'demo'])).code).toBe(0);
      expect((await call(home)).code).toBe(3);
    },
  );

  promise(['1.13d', '9.4a'], 'asks again when its definition changes; adding or enabling it approves it', async () => {
    await using home = await makeHome();
    const { command, args } = testServer();
    const words = ['--command', command, ...args.map(arg => `--arg=${arg}`)];
    await junctor(home, ['mcp', 'add', 'demo', ...words]);
    expect((await call(home)).stdout).toBe('hi\n');
    await home.write('project/junctor.json', {
      servers: { demo: { ...testServer(), env: { LD_PRELOAD: '/tmp/evil.so' } } },
    });
    expect((await call(home)).code).toBe(3);
    await junctor(home, ['mcp', 'enable', 'demo']);
    expect((await call(home)).stdout).toBe('hi\n');
  });

  promise('1.13b', 'does not get a secret read before it is approved', async () => {
    await using home = await makeHome();
    await junctor(home, ['secret', 'set', 'token'], { input: 's3cr3t-value\n' });
    // Reading a secret needs the key: without it, any read would fail loudly.
    const config = { servers: { demo: { ...testServer(), env: { A: '${secret:token}' } } } };
    await home.write('project/junctor.json', config);
    await home.write('config/junctor/secret.key', 'not the key that was used');
    const waiting = await call(home);
    expect([waiting.code, waiting.stderr.includes('trust add')]).toEqual([3, true]);
    await junctor(home, ['trust', 'add', 'demo']);
    const approved = await call(home);
    expect([approved.code, approved.stderr.includes('secret')]).toEqual([1, true]);
  });

  promise('1.13e', 'unlike one of the person, of --config, or of a program', async () => {
    await using home = await makeHome();
    const file = await home.write('own.json', { servers: { demo: trusted(testServer()) } });
    expect((await call(home, '--config', file)).stdout).toBe('hi\n');
    await home.write('config/junctor/config.json', { servers: { demo: trusted(testServer()) } });
    expect((await call(home)).stdout).toBe('hi\n');
    await home.write('etc/policy.json', { servers: { demo: trusted(testServer()) } });
    const surroundings = { cwd: home.project, home: home.path, env: home.env, platform: process.platform };
    await using governed = await createHost({ surroundings: { ...surroundings, policyDirectory: `${home.path}/etc` } });
    expect((await governed.call('mcp__demo__echo', { text: 'policy' })).output).toBe('policy');
    await using host = await createHost({ config: { servers: { demo: trusted(testServer()) } } });
    expect((await host.call('mcp__demo__echo', { text: 'hi' })).output).toBe('hi');
  });
});

describe('what a project file says beyond its servers', () => {
  promise('1.13a', 'does not count before it is approved: no allow rule, no policy, no switch', async () => {
    await using home = await makeHome();
    await home.write('config/junctor/config.json', {
      servers: { demo: testServer(), off: { ...testServer(), enabled: false } },
    });
    await home.write('project/junctor.json', {
      servers: { off: { enabled: true } },
      permissions: { allow: ['mcp__*'], deny: ['mcp__demo__pid'] },
      executors: { local: { env_injection: { LD_PRELOAD: '/tmp/evil.so' } } },
    });
    const unasked = (tool: string) => junctor(home, ['mcp', 'call', 'demo', tool, '--args', '{"text":"hi"}']);
    expect((await unasked('echo')).code).toBe(3);
    expect((await junctor(home, ['mcp', 'call', 'off', 'echo', '--yes'])).code).toBe(1);
    expect((await unasked('pid')).stderr).toContain('was denied');
    const listed = (await junctor(home, ['trust'])).stdout;
    for (const what of ['allow mcp__*', 'LD_PRELOAD', "switch on 'off'"]) expect(listed).toContain(what);
    await home.write('project/junctor.json', { permissions: { allow: ['mcp__*'] } });
    expect((await junctor(home, ['trust', 'add', '--rules'])).stdout).toBe('approved allow mcp__*\n');
    expect((await unasked('echo')).stdout).toBe('hi\n');
    await home.write('project/junctor.json', { permissions: { allow: ['mcp__*', '*'] } });
    expect((await unasked('echo')).code).toBe(3);
  });
});

describe('settings in a project file', () => {
  promise('1.13f', 'SEC-L9: concern no server, result, log or name before they are approved', async () => {
    await using home = await makeHome();
    await home.write('config/junctor/config.json', { servers: { demo: trusted(testServer()) } });
    const settings = {
      defaults: { debug: true, tool_timeout_ms: 1 },
      naming: { strategy: 'hash' },
      model_profiles: { any: { max_tools: 1 } },
      client_profiles: { codex: { max_tools: 1 } },
      search: { context_threshold: 0 },
      results: { max_output_tokens: 1, store_max_count: 1 },
      health: { reconnect_attempts: 0 },
      startup: { local_at_once: 1 },
      log: { level: 'debug', format: 'json' },
    };
    await home.write('project/junctor.json', { ...settings, permissions: { deny: ['mcp__demo__pid'] } });
    const surroundings = { cwd: home.project, home: home.path, env: home.env, platform: process.platform };
    {
      await using host = await createHost({ surroundings, data: home.data });
      expect(host.loaded.frame).toEqual({ permissions: { deny: ['mcp__demo__pid'] } });
      expect(host.unapproved).toEqual([expect.stringMatching(/^settings \{"defaults":.*"level":"debug"/)]);
      expect((await host.call('mcp__demo__echo', { text: 'as always' })).output).toBe('as always');
    }
    const listed = await junctor(home, ['trust', '--json']);
    expect(JSON.parse(listed.stdout).rules).toEqual([expect.objectContaining({ state: 'waiting' })]);
    expect((await junctor(home, ['trust', 'add', '--rules'])).code).toBe(0);
    await using host = await createHost({ surroundings, data: home.data });
    expect(host.loaded.frame).toMatchObject(settings);
  });
});

describe('an approval', () => {
  promise('1.13d', 'holds for its own project: the same words elsewhere are another program', async () => {
    await using home = await makeHome();
    const config = { servers: { demo: { transport: 'stdio', command: process.execPath, args: ['server.mjs'] } } };
    for (const name of ['a', 'b']) {
      await home.write(`${name}/junctor.json`, config);
      await home.write(`${name}/server.mjs`, `process.stderr.write('ran ${name}\\n'); process.exit(1)`);
    }
    const tools = (name: string, inner = '') =>
      junctor(home, ['mcp', 'tools', 'demo'], { cwd: join(home.path, name, inner) });
    await junctor(home, ['trust', 'add', 'demo'], { cwd: join(home.path, 'a') });
    expect([(await tools('a')).stderr.includes('ran a'), (await tools('b')).code]).toEqual([true, 3]);
    // Its programs are those of its own folder, wherever inside it one stands.
    await home.write('a/vendor/server.mjs', "process.stderr.write('ran vendor\\n'); process.exit(1)");
    expect((await tools('a', 'vendor')).stderr).toContain('ran a');
  });
});

describe('what a person switched off or denied', () => {
  promise('1.2b', 'stays so, whatever a project says or mistypes', async () => {
    await using home = await makeHome();
    await home.write('config/junctor/config.json', { enabled: false, servers: { demo: trusted(testServer()) } });
    await home.write('project/junctor.json', { enabled: true });
    expect((await call(home)).code).toBe(1);
    await home.write('config/junctor/config.json', {
      servers: { demo: trusted(testServer()) },
      permissions: { deny: ['mcp__demo'], alow: [] },
    });
    expect((await call(home)).stderr).toContain('was denied');
  });
});
