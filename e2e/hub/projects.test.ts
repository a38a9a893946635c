import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { filesystem, junctor, makeHome, promise, startHubIn, testServer, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { textOf } from '../command-line/sdk-client.ts';
import { approve, clientIn, makeProject, writeProject } from './in-project.ts';

const DEMO = trusted(testServer());

/** The servers of the person, in every project. */
const user = (servers: object) => ({ version: 1, servers });

describe('a hub and the projects its clients work in', () => {
  promise(['5.10a', '5.10m'], 'a client gets the servers of its project, also from a folder below it', async () => {
    await using home = await makeHome();
    await home.write('config/junctor/config.json', user({ mine: DEMO }));
    const one = await makeProject(home, 'one', { alpha: DEMO });
    const two = await makeProject(home, 'two', { beta: DEMO });
    const below = join(two, 'src', 'deep');
    await mkdir(below, { recursive: true });
    await using hub = await startHubIn(home, one);
    await using atOne = await clientIn(home, one);
    await using atTwo = await clientIn(home, two, { agent: 'claude-code' });
    await using deep = await clientIn(home, below);
    await expect.poll(() => atOne.servers()).toEqual(['alpha', 'mine']);
    await expect.poll(() => atTwo.servers()).toEqual(['beta', 'mine']);
    await expect.poll(() => deep.servers()).toEqual(['beta', 'mine']);
    expect(textOf(await deep.client.callTool({ name: 'beta_echo', arguments: { text: 'hi' } }))).toBe('hi');
    // A name of another project leads nowhere.
    await expect(atTwo.client.callTool({ name: 'alpha_echo', arguments: { text: 'x' } })).rejects.toThrow('alpha_echo');
    expect(atTwo.stderr()).toContain(`serves ${two}\n`);
    expect(deep.stderr()).toContain(`serves ${two}\n`);
    expect(atOne.stderr()).toContain(`serves ${one}\n`);
    const { sessions } = (await (await hub.fetch('/api/sessions?open=true')).json()) as {
      sessions: { agent: string; project: string; servers: { server: string }[] }[];
    };
    expect(sessions.map(({ agent, project }) => [agent, project]).sort()).toEqual([
      ['claude-code', two],
      ['codex', one],
      ['codex', two],
    ]);
    for (const { project, servers } of sessions)
      expect(servers.map(({ server }) => server)).toEqual([project === one ? 'alpha' : 'beta', 'mine']);
    await expect
      .poll(async () => {
        const { calls } = (await (await hub.fetch('/api/calls')).json()) as {
          calls: { server: string; project: string }[];
        };
        return calls.filter(({ server }) => server === 'beta').map(({ project }) => project);
      })
      .toEqual([two]);
    const { stdout } = await junctor(home, ['hub', 'status']);
    expect(stdout).toContain(`the project ${one} at /mcp/<agent>; connect and run get the project of their folder`);
    expect(stdout).toContain(two);
  });

  promise('5.10b', 'a client in no project gets the servers of its person only, started where it works', async () => {
    await using home = await makeHome();
    const files = trusted(filesystem('.'));
    await home.write('config/junctor/config.json', user({ files, common: { ...files, mode: 'shared' } }));
    const one = await makeProject(home, 'one', { alpha: DEMO });
    const nowhere = join(home.path, 'nowhere');
    await mkdir(nowhere);
    await using _hub = await startHubIn(home, one);
    await using client = await clientIn(home, nowhere);
    await expect.poll(() => client.servers()).toEqual(['common', 'files']);
    const roots = textOf(await client.client.callTool({ name: 'files_list_allowed_directories', arguments: {} }));
    expect(roots).toContain(nowhere);
    // What all sessions share is in no client's folder.
    const shared = textOf(await client.client.callTool({ name: 'common_list_allowed_directories', arguments: {} }));
    expect([shared.includes(one), shared.includes(nowhere)]).toEqual([true, false]);
  });

  promise('5.10l', 'a hub that the first client starts belongs to no project', async () => {
    await using home = await makeHome();
    const one = await makeProject(home, 'one', { alpha: DEMO });
    const two = await makeProject(home, 'two', { beta: DEMO });
    try {
      await using atOne = await clientIn(home, one);
      await using atTwo = await clientIn(home, two);
      await expect.poll(() => atOne.servers()).toEqual(['alpha']);
      await expect.poll(() => atTwo.servers()).toEqual(['beta']);
      const { url, token } = JSON.parse(await readFile(join(home.data, 'hub.json'), 'utf8')) as Record<string, string>;
      const answer = await fetch(`${url}/api/servers`, { headers: { authorization: `Bearer ${token}` } });
      expect(await answer.json()).toMatchObject({ project: null, servers: [] });
    } finally {
      await junctor(home, ['hub', 'stop']);
    }
  });

  promise('5.10g', 'what a project defines waits for approval there, whatever was approved elsewhere', async () => {
    await using home = await makeHome();
    const one = await makeProject(home, 'one', { same: DEMO });
    const two = join(home.path, 'two');
    await mkdir(two);
    await writeProject(two, { same: DEMO });
    await using _hub = await startHubIn(home, home.project);
    await using atOne = await clientIn(home, one);
    await using atTwo = await clientIn(home, two);
    await expect.poll(() => atOne.servers()).toEqual(['same']);
    expect(await atTwo.servers()).toEqual([]);
    await approve(home, two, ['same']);
    await expect.poll(() => atTwo.servers()).toEqual(['same']);
  });

  promise('5.10h', 'a project that changes changes for its own clients', async () => {
    await using home = await makeHome();
    const one = await makeProject(home, 'one', { alpha: DEMO });
    const two = await makeProject(home, 'two', { beta: DEMO });
    await using _hub = await startHubIn(home, home.project);
    await using atOne = await clientIn(home, one);
    await using atTwo = await clientIn(home, two);
    await expect.poll(() => atOne.servers()).toEqual(['alpha']);
    await expect.poll(() => atTwo.servers()).toEqual(['beta']);
    await writeProject(two, { gamma: DEMO });
    await approve(home, two, ['gamma']);
    await expect.poll(() => atTwo.servers()).toEqual(['gamma']);
    expect(await atOne.servers()).toEqual(['alpha']);
  });

  promise('5.10i', 'a project whose folder is gone is refused in words', async () => {
    await using home = await makeHome();
    const two = await makeProject(home, 'two', { beta: DEMO });
    await using hub = await startHubIn(home, home.project);
    const { id } = await registered(hub, two);
    await using atTwo = await clientIn(home, two);
    await expect.poll(() => atTwo.servers()).toEqual(['beta']);
    await rename(two, `${two}-moved`);
    const open = async () => {
      const { projects } = (await (await hub.fetch('/api/projects')).json()) as { projects: { open: boolean }[] };
      return projects.map(one => one.open);
    };
    await expect.poll(open).toEqual([false]);
    const refused = await initialize(hub, `/mcp/codex/w/${id}`);
    expect(refused.status).toBe(404);
    expect(await refused.text()).toContain(two);
  });

  promise('5.10k', 'with a config of its own a hub serves it in every folder', async () => {
    await using home = await makeHome();
    const two = await makeProject(home, 'two', { beta: DEMO });
    const file = await home.write('fixed.json', user({ fixed: DEMO }));
    await using hub = await startHubIn(home, home.project, ['--config', file]);
    await using atTwo = await clientIn(home, two);
    await expect.poll(() => atTwo.servers()).toEqual(['fixed']);
    expect(atTwo.stderr()).toContain('serves the config it was started with, in every folder');
    expect(await registered(hub, two)).toEqual({ id: null, folder: null });
  });

  promise(['5.10c', '5.10e'], "an agent's token opens its own endpoint of a project", async () => {
    await using home = await makeHome();
    const one = await makeProject(home, 'one', { alpha: DEMO });
    const two = await makeProject(home, 'two', { beta: DEMO });
    await using hub = await startHubIn(home, one);
    const { id } = await registered(hub, join(two, '.'));
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    const token = (await junctor(home, ['hub', 'token', '--agent', 'codex'])).stdout.trim();
    expect((await initialize(hub, `/mcp/codex/w/${id}`, token)).status).toBe(200);
    expect((await initialize(hub, `/mcp/Codex/w/${id}/`, token)).status).toBe(200);
    expect((await initialize(hub, `/servers/beta/mcp/w/${id}`, token)).status).toBe(200);
    const stream = await hub.fetch(`/sse/codex/w/${id}`, { token, headers: { accept: 'text/event-stream' } });
    const { value } = (await stream.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toContain(`/sse/codex/w/${id}`);
    expect((await initialize(hub, `/servers/alpha/mcp/w/${id}`, token)).status).toBe(404);
    expect((await initialize(hub, `/servers/beta/mcp`, token)).status).toBe(404);
    expect((await initialize(hub, `/mcp/claude-code/w/${id}`, token)).status).toBe(403);
    expect((await initialize(hub, `/mcp/codex/w/${'0'.repeat(32)}`, token)).status).toBe(404);
    expect((await initialize(hub, `/mcp/codex/w/${encodeURIComponent(two)}`, token)).status).toBe(404);
  });

  promise('5.10d', 'an agent registers no folder over HTTP', async () => {
    await using home = await makeHome();
    await using hub = await startHubIn(home, home.project);
    const token = (await junctor(home, ['hub', 'token', '--agent', 'codex'])).stdout.trim();
    const post = (folder: string, as?: string) =>
      hub.fetch('/api/projects', {
        ...{ method: 'POST', token: as, headers: { 'content-type': 'application/json' } },
        body: JSON.stringify({ folder }),
      });
    expect((await post(home.path, token)).status).toBe(403);
    expect((await post(join(home.path, 'missing'))).status).toBe(404);
    expect((await post('relative')).status).toBe(400);
    expect((await post(home.path)).status).toBe(200);
  });

  promise('5.10j', 'a project that nobody uses is closed, and opened again on use', async () => {
    await using home = await makeHome();
    const one = await makeProject(home, 'one', { alpha: DEMO });
    const two = await makeProject(home, 'two', { beta: DEMO });
    await using hub = await startHubIn(home, home.project, ['--max-projects', '1']);
    const first = await registered(hub, one);
    const second = await registered(hub, two);
    const openOnes = async () => {
      const { projects } = (await (await hub.fetch('/api/projects')).json()) as {
        projects: { folder: string; open: boolean }[];
      };
      return projects.flatMap(({ folder, open }) => (open ? [folder] : []));
    };
    const session = await initialize(hub, `/mcp/codex/w/${first.id}`);
    const id = session.headers.get('mcp-session-id') as string;
    expect(await openOnes()).toEqual([one]);
    {
      await using atTwo = await clientIn(home, two);
      await expect.poll(() => atTwo.servers()).toEqual(['beta']);
      expect(await openOnes()).toEqual([two]);
      // Somebody is connected there: no other is opened in its place.
      const refused = await initialize(hub, `/mcp/codex/w/${first.id}`);
      expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('--max-projects')]);
    }
    await expect
      .poll(async () => {
        const listed = await hub.fetch(`/mcp/codex/w/${first.id}`, {
          ...{ method: 'POST', headers: { ...JSON_HEADERS, 'mcp-session-id': id } },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
        });
        return (await listed.text()).includes('alpha_echo');
      })
      .toBe(true);
    expect(await openOnes()).toEqual([one]);
    expect(second.id).not.toBe(first.id);
  });
});

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

type AnyHub = Awaited<ReturnType<typeof startHubIn>>;

async function registered(hub: AnyHub, folder: string): Promise<{ id: string | null; folder: string | null }> {
  const answer = await hub.fetch('/api/projects', {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ folder }) },
  });
  return (await answer.json()) as { id: string | null; folder: string | null };
}

function initialize(hub: AnyHub, path: string, token?: string): Promise<Response> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  return hub.fetch(path, {
    ...{ method: 'POST', token, headers: JSON_HEADERS },
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
  });
}
