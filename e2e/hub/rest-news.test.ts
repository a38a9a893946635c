import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeHome, promise, startHub } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { startHubHere } from './hub-here.ts';
import { listen } from './listen.ts';
import { asPosted, rest } from './rest-client.ts';
import { demo, withHub } from './rest-hub.ts';
import { RawClient } from './rpc.ts';

describe('servers', () => {
  const original = `{
  // what everybody uses
  "version": 1,
  "servers": {
    "demo": { "transport": "http", "url": "http://localhost:1/mcp" } // the first
  },
  "startup": { "connect": "lazy" }
}
`;

  promise('9.3f', 'are written to the file of --config, with the comments in it, and count at once', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, {});
    const file = join(home.path, 'hub.json');
    await writeFile(file, original);
    await expect.poll(async () => (await rest(hub, '/api/servers')).body.servers.length).toBe(1);
    const definition = { transport: 'stdio', command: 'x', env: { API_TOKEN: 'tok-0123456789' } };
    const added = await rest(hub, '/api/servers', { method: 'POST', body: { id: 'mine', definition } });
    expect([added.status, added.body.file, added.body.effective]).toEqual([201, file, 'explicit']);
    const text = await readFile(file, 'utf8');
    expect(text).toContain('// what everybody uses');
    expect(text).toContain('// the first');
    expect(text).not.toContain('tok-0123456789');
    const read = await rest(hub, '/api/servers/mine');
    expect(read.body).toMatchObject({ id: 'mine', layer: 'explicit', file, state: 'idle' });
    expect(read.body.definition.env.API_TOKEN).toMatch(/^\$\{secret:mine\.API_TOKEN\./);
    const changed = { ...read.body.definition, args: ['a'] };
    const tag = { 'if-match': read.etag as string };
    const first = await rest(hub, '/api/servers/mine', { method: 'PUT', body: changed, headers: tag });
    expect(first.status).toBe(200);
    const stale = await rest(hub, '/api/servers/mine', { method: 'PUT', body: definition, headers: tag });
    expect([stale.status, stale.body.error.code]).toEqual([412, 'edit_outdated']);
    expect((await rest(hub, '/api/servers/mine')).etag).toBe(first.etag);
    await rest(hub, '/api/servers/mine', { method: 'PATCH', body: { enabled: false } });
    expect((await rest(hub, '/api/servers/mine')).body).toMatchObject({ enabled: false, state: 'disabled' });
    expect((await rest(hub, '/api/servers/mine', { method: 'DELETE' })).body.effective).toBe(null);
    expect(await readFile(file, 'utf8')).toBe(original);
    const wrong = await rest(hub, '/api/servers', {
      method: 'POST',
      body: { id: 'bad', definition: { transport: 'stdio' } },
    });
    expect([wrong.status, wrong.body.error.message]).toEqual([
      400,
      expect.stringContaining("Missing 'command' in stdio server 'bad'"),
    ]);
  });

  promise('9.3e', 'are written to your own file where the hub has no --config', async () => {
    await using home = await makeHome();
    await using hub = await startHubHere(home);
    const added = await rest(hub, '/api/servers', {
      method: 'POST',
      body: { id: 'mine', definition: { transport: 'stdio', command: 'x' } },
    });
    expect([added.status, added.body.file, added.body.effective]).toEqual([201, home.userConfig, 'user']);
    expect(JSON.parse(await readFile(home.userConfig, 'utf8'))).toEqual({
      version: 1,
      servers: { mine: { transport: 'stdio', command: 'x' } },
    });
  });
});

describe('events', () => {
  promise(['5.2i', '8.24c'], 'come as a stream, by type and agent, and what was missed comes first', async () => {
    await withHub(async hub => {
      const refused = await rest(hub, '/api/events?server=a%20b');
      expect(refused.status).toBe(400);
      await using all = await listen(hub, '/api/events');
      expect(all.contentType).toBe('text/event-stream');
      await rest(hub, '/api/mcp-config?agent=codex', {
        method: 'POST',
        body: { enabled: true, servers: { mine: asPosted(demo) } },
      });
      const ready = await all.until(
        ({ type, data }) => type === 'state-changed' && data.server === 'mine' && data.state.kind === 'ready',
      );
      expect(ready.data).toMatchObject({ type: 'state-changed', server: 'mine', agent: 'codex' });
      await using changes = await listen(hub, '/api/events?types=config-changed&agent=cursor');
      await rest(hub, '/api/mcp-config?agent=codex', { method: 'DELETE' });
      await rest(hub, '/api/mcp-config?agent=cursor', { method: 'POST', body: { enabled: false, servers: {} } });
      expect((await changes.until(() => true)).data).toEqual({ type: 'config-changed', agent: 'cursor' });
      const seen = await all.until(({ type, data }) => type === 'config-changed' && data.agent === 'cursor');
      await all[Symbol.asyncDispose]();
      await using again = await listen(hub, '/api/events', { 'last-event-id': ready.id });
      const replayed = await again.until(({ id }) => id === seen.id);
      expect(replayed).toEqual(seen);
      await using lost = await listen(hub, '/api/events', { 'last-event-id': 'another-1' });
      expect((await lost.until(() => true)).type).toBe('events-lost');
    });
  });

  test('tell of sessions that open and close, with the door they are at', async () => {
    await withHub(async hub => {
      await using heard = await listen(hub, '/api/events?types=session-opened,session-closed');
      const clients = [await RawClient.open(hub, '/mcp/codex'), await RawClient.open(hub, '/servers/demo/mcp')];
      for (const [type, door] of [
        ['session-opened', { agent: 'codex' }],
        ['session-opened', { server: 'demo' }],
        ['session-closed', { agent: 'codex' }],
        ['session-closed', { server: 'demo' }],
      ] as const) {
        const [index, path] = 'agent' in door ? [0, '/mcp/codex'] : [1, '/servers/demo/mcp'];
        const session = clients[index]?.session as string;
        if (type === 'session-closed')
          await hub.fetch(path, { method: 'DELETE', headers: { 'mcp-session-id': session } });
        const event = await heard.until(() => true);
        expect(event.data).toEqual({ type, ...door, sessions: [session] });
      }
    });
  });
});

describe('a monitor', () => {
  promise(['8.25b', '8.25c'], 'learns whether the hub can serve, and what it did', async () => {
    await withHub(async hub => {
      const ready = await fetch(`${hub.url}/readyz`);
      expect([ready.status, await ready.text()]).toEqual([200, 'ready\n']);
      const client = await RawClient.open(hub, '/mcp/codex');
      await client.call(1, 'demo_echo', { text: 'x' });
      await client.call(2, 'demo_fail', {});
      const answer = await hub.fetch('/metrics');
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
      const text = await answer.text();
      for (const line of text.trimEnd().split('\n')) {
        expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z_]+="[^"]*",?)*\})? -?[\d.e+-]+(Inf)?)$/);
      }
      expect(text).toContain('junctor_servers{state="ready"} 1\n');
      expect(text).toContain('# TYPE junctor_call_duration_seconds histogram\n');
    });
  });
});
