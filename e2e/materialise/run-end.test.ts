import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Home, junctor, processesMarked, promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { startRun } from './fake-agent.ts';
import { initialize, scene } from './run-scene.ts';

describe('the end of a run', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s reaches the agent, and all is put back', async signal => {
    await using here = await scene();
    const { home, env } = here;
    const own = await home.write('.grok/config.toml', 'x = 1\n');
    const running = await startRun(home, { ...env, OWN: own }, ['grok']);
    expect(running.report.files[own]).toContain('junctor');
    expect(await running.end(signal)).toBe({ SIGTERM: 7, SIGINT: 130, SIGHUP: 129 }[signal]);
    expect(await readFile(own, 'utf8')).toBe('x = 1\n');
    const temporary = await startRun(home, env, ['opencode']);
    const file = temporary.report.env.OPENCODE_CONFIG ?? '';
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
    await temporary.end(signal);
    expect(existsSync(dirname(file))).toBe(false);
  });

  promise(['5.7a', '5.7c'], 'what a killed run left is put back by the next start', async () => {
    await using here = await scene();
    const { home, hub, env } = here;
    const own = await home.write('.grok/config.toml', 'x = 1\n');
    const killed = [await startRun(home, { ...env, OWN: own }, ['grok']), await startRun(home, env, ['opencode'])];
    const folder = dirname(killed[1]?.report.env.OPENCODE_CONFIG ?? '');
    for (const run of killed) await run.end('SIGKILL');
    expect(await readFile(own, 'utf8')).toContain('junctor');
    expect(existsSync(folder)).toBe(true);
    await junctor(home, ['run', 'qwen-code'], { env });
    expect(await readFile(own, 'utf8')).toBe('x = 1\n');
    expect(existsSync(folder)).toBe(false);
    for (const { report } of killed) {
      const agent = report.env.OPENCODE_CONFIG ? 'opencode' : 'grok';
      await expect.poll(async () => (await initialize(hub, agent, report.env.JUNCTOR_TOKEN)).status).toBe(401);
    }
    for (const { pid } of orphans(home)) process.kill(pid, 'SIGKILL');
  });

  test('the last of several runs puts the file back', async () => {
    await using here = await scene();
    const { home, env } = here;
    const own = await home.write('.grok/config.toml', 'x = 1\n');
    const first = await startRun(home, env, ['grok']);
    const second = await startRun(home, env, ['grok']);
    await first.end('SIGTERM');
    expect(await readFile(own, 'utf8')).toContain('junctor');
    await second.end('SIGTERM');
    expect(await readFile(own, 'utf8')).toBe('x = 1\n');
  });

  test('what was exported for good is not taken away', async () => {
    await using here = await scene();
    const { home, env } = here;
    await junctor(home, ['mcp', 'export', 'grok', '--via', 'hub', '--write']);
    const own = join(home.path, '.grok/config.toml');
    const before = await readFile(own);
    await junctor(home, ['run', 'grok'], { env });
    expect(await readFile(own)).toEqual(before);
  });

  test('a program that is not there is named, and nothing stays behind', async () => {
    await using here = await scene();
    const { home } = here;
    const { code, stderr } = await junctor(home, ['run', 'grok', '--program', 'no-such-agent']);
    expect([code, stderr]).toEqual([1, expect.stringContaining("there is no program 'no-such-agent' on your PATH")]);
    expect(existsSync(join(home.path, '.grok/config.toml'))).toBe(false);
    expect(existsSync(join(home.data, 'hub-tokens.json'))).toBe(false);
  });
});

/** Agents whose run was killed. */
function orphans(home: Home): readonly { readonly pid: number }[] {
  return processesMarked(home.path).filter(({ command }) => command.includes(join(home.path, 'bin')));
}
