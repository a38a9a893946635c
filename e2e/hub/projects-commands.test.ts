import { join } from 'node:path';
import { isRunning, junctor, makeHome, promise, startHubIn, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { textOf } from '../command-line/sdk-client.ts';
import { clientIn, makeProject, registeredIn } from './in-project.ts';

const DEMO = trusted(testServer());

describe('commands in a project that a hub has open', () => {
  promise('5.10f', 'reach its servers through the hub, and ask the hub about it', async () => {
    await using home = await makeHome();
    const one = await makeProject(home, 'one', { alpha: DEMO });
    const two = await makeProject(home, 'two', { beta: DEMO });
    await using hub = await startHubIn(home, one);
    const call = (folder: string) =>
      junctor(home, ['mcp', 'call', 'beta', 'echo', '--args', '{"text":"hi"}', '--yes'], { cwd: folder });
    // Nobody works there yet: nothing is started at the hub for one call.
    expect(await call(two)).toMatchObject({
      code: 0,
      stdout: 'hi\n',
      stderr: expect.not.stringContaining('through the hub'),
    });
    await using client = await clientIn(home, two);
    await expect.poll(() => client.servers()).toEqual(['beta']);
    const through = expect.stringContaining(`through the hub at ${hub.url}: beta`);
    expect(await call(two)).toMatchObject({ code: 0, stdout: 'hi\n', stderr: through });
    await expect
      .poll(async () => {
        const { calls } = (await (await hub.fetch('/api/calls')).json()) as {
          calls: { server: string; project: string; surface: string }[];
        };
        return calls.map(({ server, project, surface }) => [server, project, surface]);
      })
      .toEqual([['beta', two, 'server-endpoint']]);
    const listed = await junctor(home, ['calls', '--project', '.'], { cwd: two });
    expect(listed.stdout).toMatch(new RegExp(`^STARTED .* PROJECT\n.* beta/echo .* ${two}\n$`));
    expect((await junctor(home, ['calls', '--project', '.'], { cwd: one })).stdout).toBe('no call passed the hub\n');
    expect(await junctor(home, ['explain', 'beta/echo', '--hub'], { cwd: two })).toMatchObject({ code: 0 });
    expect(await junctor(home, ['explain', 'beta/echo', '--hub'], { cwd: one })).toMatchObject({ code: 1 });
    expect(await junctor(home, ['preflight', '--hub', '--agent', 'codex', 'beta/echo'], { cwd: two })).toMatchObject({
      code: 0,
    });
  });

  promise('5.10c', 'write its address into the file of an agent', async () => {
    await using home = await makeHome();
    const two = await makeProject(home, 'two', { beta: DEMO });
    const file = join(two, '.mcp.json');
    const words = ['mcp', 'export', 'claude-code', '--via', 'hub', '--project', two, '--out', file];
    expect(await junctor(home, words)).toMatchObject({ code: 1, stderr: expect.stringContaining('(hub_required)') });
    await using hub = await startHubIn(home, home.project);
    const { code, stdout } = await junctor(home, [...words, '--json']);
    const id = await registeredIn(hub, two);
    expect([code, JSON.parse(stdout).content]).toEqual([
      0,
      expect.stringContaining(`"url": "${hub.url}/mcp/claude-code/w/${id}"`),
    ]);
    const check = await junctor(home, ['mcp', 'export', 'claude-code', '--check', '--out', file]);
    expect([check.code, check.stdout]).toEqual([0, `${file} is as Junctor wrote it\n`]);
    const direct = await junctor(home, ['mcp', 'export', 'claude-code', '--project', two]);
    expect([direct.code, direct.stderr]).toEqual([2, expect.stringContaining('--project needs --via hub')]);
  });
});

describe('an agent with a config of its own', () => {
  promise('5.1k', 'has it in every project, and other agents have what the project says', async () => {
    await using home = await makeHome();
    const two = await makeProject(home, 'two', { beta: DEMO });
    await using hub = await startHubIn(home, home.project);
    const { transport: type, ...server } = DEMO;
    const body = { agent_id: 'codex', enabled: true, servers: { stored: { type, ...server } } };
    const posted = await hub.fetch('/api/mcp-config?agent=codex', {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
    });
    expect(posted.status).toBe(200);
    await using codex = await clientIn(home, two);
    await using other = await clientIn(home, two, { agent: 'cursor' });
    await expect.poll(() => codex.servers()).toEqual(['stored']);
    await expect.poll(() => other.servers()).toEqual(['beta']);
  });
});

describe('a project that nobody uses', () => {
  test('is closed after a while, and its servers end', async () => {
    await using home = await makeHome();
    const two = await makeProject(home, 'two', { beta: DEMO });
    await using hub = await startHubIn(home, home.project, ['--instance-idle', '1']);
    let pid = 0;
    {
      await using client = await clientIn(home, two);
      await expect.poll(() => client.servers()).toEqual(['beta']);
      pid = Number(textOf(await client.client.callTool({ name: 'beta_pid', arguments: {} })));
    }
    const open = async () => {
      const { projects } = (await (await hub.fetch('/api/projects')).json()) as { projects: { open: boolean }[] };
      return projects.map(one => one.open);
    };
    await expect.poll(open).toEqual([false]);
    await expect.poll(() => isRunning(pid)).toBe(false);
    await using again = await clientIn(home, two);
    await expect.poll(() => again.servers()).toEqual(['beta']);
  });
});
