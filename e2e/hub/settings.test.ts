import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeHome, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { withHub } from './asking.ts';
import { startHubHere } from './hub-here.ts';
import { listen } from './listen.ts';
import { describedRest, readOpenApi } from './openapi.ts';
import type { AnyHub } from './rest-client.ts';

const demo = trusted(testServer());
const CONFIG = { version: 1, servers: { demo } };

/** REST whose every answer is what the document says. */
async function asking(hub: AnyHub) {
  const asked = describedRest(await readOpenApi(hub));
  return (path: string, options: Parameters<typeof asked>[2] = {}) => asked(hub, path, options);
}

describe('the settings of a hub over REST', () => {
  test('tell how it is and what it was started with', async () => {
    await withHub(
      async (hub, home) => {
        const { body } = await (await asking(hub))('/api/health');
        expect(body).toMatchObject({
          pid: hub.pid,
          url: hub.url,
          issuer: null,
          public_url: null,
          data_directory: home.data,
          store: { kind: 'sqlite', place: join(home.data, 'hub.db') },
          limits: { keep_calls_ms: 7 * 86_400_000, max_instances: 64, max_rate_per_second: 500 },
        });
        expect(Date.parse(body.started)).toBeLessThan(Date.now());
      },
      { config: CONFIG, args: ['--keep-calls', '7', '--max-rate', '500'] },
    );
  });

  test('name every layer, its problems with their line, and what nobody approved', async () => {
    await using home = await makeHome();
    const theirs = await home.write(join('project', 'junctor.json'), { version: 1, servers: { theirs: demo } });
    const lines = ['{', '  "version": 1,', '  "servers": {', '    "bad": { "transport": "stdio" }', '  }', '}'];
    await home.write(join('config', 'junctor', 'config.json'), lines.join('\n'));
    await using hub = await startHubHere(home);
    const { layers } = (await (await asking(hub))('/api/config/layers')).body;
    const own = { is_file: true, exists: true, dialect: 'junctor' };
    expect(layers).toEqual([
      {
        ...own,
        layer: 'project',
        source: theirs,
        is_edited: false,
        servers: ['theirs'],
        waiting: ['theirs'],
        problems: [],
      },
      {
        ...own,
        layer: 'user',
        source: home.userConfig,
        is_edited: true,
        servers: [],
        waiting: [],
        problems: [expect.objectContaining({ line: 4, path: 'servers.bad.command', server: 'bad' })],
      },
    ]);
  });

  test('make tokens that are shown once, open what they are for, and are revoked', async () => {
    await withHub(
      async hub => {
        const rest = await asking(hub);
        const made = await rest('/api/tokens', { method: 'POST', body: { agent: 'codex', name: 'laptop' } });
        expect(made).toMatchObject({ status: 201, body: { kind: 'agent', agent: 'codex', name: 'laptop' } });
        const { token, id } = made.body;
        expect((await hub.fetch('/api/status', { token })).status).toBe(403);
        expect((await hub.fetch('/mcp/cursor', { token })).status).toBe(403);
        expect((await hub.fetch('/mcp/codex', { token })).status).not.toBe(403);
        const listed = (await rest('/api/tokens')).body.tokens;
        expect(listed).toEqual([
          {
            ...{ id, kind: 'agent', agent: 'codex', session: null, executor: null },
            ...{ name: 'laptop', created: expect.any(String), expires: expect.any(String) },
            ...{ last_used: expect.any(String), made_by: 'hub', made_by_name: null },
          },
        ]);
        expect(JSON.stringify(listed)).not.toContain(token);
        const person = (await rest('/api/tokens', { method: 'POST', body: {} })).body;
        expect((await hub.fetch('/api/status', { token: person.token })).status).toBe(200);
        expect((await rest('/api/tokens', { method: 'POST', body: { session: 'x' } })).status).toBe(400);
        expect((await rest(`/api/tokens/${person.id}`, { method: 'DELETE' })).status).toBe(200);
        await expect.poll(async () => (await hub.fetch('/api/status', { token: person.token })).status).toBe(401);
        expect((await rest(`/api/tokens/${person.id}`, { method: 'DELETE' })).status).toBe(404);
      },
      { config: CONFIG },
    );
  });

  test('set and delete secrets whose values nobody gets back', async () => {
    const asks = { ...demo, env: { KEY: '${secret:my-key}' } };
    await withHub(
      async (hub, home) => {
        const rest = await asking(hub);
        const state = async () => (await rest('/api/status')).body.servers[0].state;
        await expect.poll(state).toBe('error');
        const value = 'hush-0123456789';
        expect((await rest('/api/secrets/my-key', { method: 'PUT', body: { value } })).status).toBe(200);
        const listed = await rest('/api/secrets');
        expect(listed.body.secrets).toEqual([{ name: 'my-key', store: 'file', key: 'key_file', servers: ['asks'] }]);
        await expect.poll(state).toBe('ready');
        const seen = await Promise.all(
          ['secrets', 'servers', 'status', 'config/layers'].map(path => hub.fetch(`/api/${path}`)),
        );
        for (const answer of seen) expect(await answer.text()).not.toContain(value);
        expect(await readFile(join(home.data, 'secrets.json'), 'utf8')).not.toContain(value);
        expect((await rest('/api/secrets/no%20name', { method: 'PUT', body: { value } })).status).toBe(400);
        expect((await rest('/api/secrets/my-key', { method: 'DELETE' })).status).toBe(200);
        expect((await rest('/api/secrets/my-key', { method: 'DELETE' })).status).toBe(404);
        await expect.poll(state).toBe('error');
      },
      { config: { version: 1, servers: { asks } } },
    );
  });

  test('count at once, also for servers that are connected and calls that run', async () => {
    const config = {
      version: 1,
      servers: { demo: { ...demo, mode: 'shared' } },
      health: { ping_interval_ms: 600_000, heartbeat_ms: 600_000 },
    };
    await withHub(
      async hub => {
        const rest = await asking(hub);
        const server = async () => (await rest('/api/status')).body.servers[0];
        await expect.poll(async () => (await server()).state).toBe('ready');
        expect((await server()).latency_ms, 'it was not asked yet whether it lives').toBeUndefined();
        await using events = await listen(hub, '/api/events?types=tool-call-progress');
        const headers = { 'content-type': 'application/json' };
        const body = JSON.stringify({ server: 'demo', tool: 'slow', arguments: { ms: 600_000 } });
        const leave = new AbortController();
        const call = hub.fetch('/api/calls', { method: 'POST', headers, body, signal: leave.signal }).catch(() => {});
        await expect.poll(async () => (await rest('/api/calls')).body.running.length).toBe(1);
        const change = { health: { ping_interval_ms: 50, heartbeat_ms: 50 } };
        const changed = await rest('/api/config/settings', { method: 'PATCH', body: change });
        expect(changed.body.settings.find(({ key }: { key: string }) => key === 'heartbeat_ms').at_once).toBe(true);
        await expect.poll(async () => (await server()).latency_ms).toEqual(expect.any(Number));
        await events.until(({ type }) => type === 'tool-call-progress');
        leave.abort();
        await call;
      },
      { config },
    );
  });

  test('change limits in the config file, and never over what somebody else changed', async () => {
    await withHub(
      async (hub, home) => {
        const rest = await asking(hub);
        const read = await rest('/api/config/settings');
        const settingIn = (body: typeof read.body, name: string) =>
          body.settings.find((one: { section: string; key: string }) => `${one.section}.${one.key}` === name);
        expect(settingIn(read.body, 'results.max_output_tokens')).toMatchObject({
          value: 1000,
          layer: 'explicit',
          kind: 'number',
          at_once: true,
        });
        expect(settingIn(read.body, 'startup.connect')).toMatchObject({ value: null, layer: null, at_once: false });
        const patch = (body: object, tag: string | null) =>
          rest('/api/config/settings', { method: 'PATCH', body, headers: { 'if-match': tag ?? '' } });
        const changed = await patch({ results: { max_output_tokens: 2000, store_max_count: 5 } }, read.etag);
        expect(changed.status).toBe(200);
        expect(settingIn(changed.body, 'results.max_output_tokens').value).toBe(2000);
        const late = await patch({ results: { max_output_tokens: 3000 } }, read.etag);
        expect([late.status, late.body.error.code]).toEqual([412, 'edit_outdated']);
        expect((await patch({ results: { max_output_tokens: null } }, changed.etag)).status).toBe(200);
        const written = JSON.parse(await readFile(join(home.path, 'hub.json'), 'utf8'));
        expect(written.results).toEqual({ store_max_count: 5 });
        const wrong = await rest('/api/config/settings', {
          method: 'PATCH',
          body: { results: { max_output_tokens: -1, max_output: 3 }, healt: {} },
        });
        expect(wrong.status).toBe(400);
        expect(wrong.body.error.problems.map(({ path }: { path: string }) => path).sort()).toEqual([
          'healt',
          'results.max_output',
          'results.max_output_tokens',
        ]);
      },
      { config: { ...CONFIG, results: { max_output_tokens: 1000 } } },
    );
  });
});
