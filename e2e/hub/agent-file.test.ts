import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JUNCTOR, makeHome, startHub } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { describedRest, readOpenApi } from './openapi.ts';

const OWN = `# mine
[mcp_servers.notes]
command = "notes"
env = { NOTES_TOKEN = "tok-0123456789" }
`;

const CONFIG = { version: 1, servers: {}, agents: { 'my-own': {} } };

describe("an agent's own file, over REST", () => {
  test('is shown before it is written, is undone, watched and left as it was', async () => {
    await using home = await makeHome();
    const file = join(home.path, '.codex', 'config.toml');
    await mkdir(join(home.path, '.codex'));
    await writeFile(file, OWN);
    await using hub = await startHub(home, CONFIG);
    const ask = describedRest(await readOpenApi(hub));
    const path = '/api/agents/codex/file';
    const text = () => readFile(file, 'utf8');
    const state = async () => (await ask(hub, path)).body;
    const act = (action: string, headers = {}) => ask(hub, path, { method: 'POST', body: { action }, headers });

    const { body: first, etag } = await ask(hub, path);
    expect(first).toMatchObject({
      file,
      title: 'Codex',
      written: [],
      drift: [],
      token_variable: 'JUNCTOR_TOKEN_CODEX',
      connect: [process.execPath, JUNCTOR, 'connect', 'codex', '--data', home.data],
    });
    expect(first.previews.write).toContain(`+url = "${hub.url}/mcp/codex"`);
    expect(first.previews.write).toContain('•••');
    expect(JSON.stringify(first)).not.toContain('tok-0123456789');
    expect(await text()).toBe(OWN);

    await writeFile(file, `${OWN}# more\n`);
    expect((await act('write', { 'if-match': etag ?? '' })).status).toBe(412);
    expect(await text()).toBe(`${OWN}# more\n`);

    const { body: done } = await act('write');
    expect(await readFile(done.backup, 'utf8')).toBe(`${OWN}# more\n`);
    expect(await text()).toContain('bearer_token_env_var = "JUNCTOR_TOKEN_CODEX"');
    expect(await state()).toMatchObject({ written: ['junctor'], drift: [], previews: { write: '' } });

    await writeFile(file, (await text()).replace('JUNCTOR_TOKEN_CODEX', 'jct_the-token-itself'));
    const { drift } = await state();
    expect(drift).toEqual([
      { id: 'junctor', exposed: true, message: expect.stringContaining('bearer_token_env_var changed') },
    ]);
    await act('write');
    await act('undo');
    await act('undo');
    expect(await text()).toBe(`${OWN}# more\n`);
    await act('write');
    await writeFile(file, `${await text()}\n[mcp_servers.theirs]\ncommand = "x"\n`);
    expect((await act('remove')).body).toMatchObject({ success: true, file, stayed: [] });
    expect(await text()).toContain('[mcp_servers.theirs]');
    expect(await text()).not.toContain('junctor');

    const list = '{ "mcpServers": [] }';
    await writeFile(join(home.path, '.claude.json'), list);
    const refused = await ask(hub, '/api/agents/claude-code/file', { method: 'POST', body: { action: 'write' } });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'config_conflict']);
    expect(await readFile(join(home.path, '.claude.json'), 'utf8')).toBe(list);

    // No file of an agent that only this hub knows; and nothing of it for agents themselves.
    expect((await ask(hub, '/api/agents/my-own/file')).body).toMatchObject({ file: null, because: expect.any(String) });
    expect((await ask(hub, '/api/agents/nobody/file')).status).toBe(404);
    const token = (await ask(hub, '/api/tokens', { method: 'POST', body: { agent: 'codex' } })).body.token;
    const forbidden = await fetch(`${hub.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect(forbidden.status).toBe(403);
  });

  test('its surface is written into the config file, and counts for sessions that begin then', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { ...CONFIG, agents: { Codex: { search: { min_context_window: 1000 } } } });
    const ask = describedRest(await readOpenApi(hub));
    const surface = async () => (await ask(hub, '/api/agents/codex')).body.surface;
    const put = (word: string) => ask(hub, '/api/agents/codex/surface', { method: 'PUT', body: { surface: word } });
    const written = async () => JSON.parse(await readFile(join(home.path, 'hub.json'), 'utf8')).agents;
    expect(await surface()).toBe('auto');
    expect((await put('search')).body.surface).toBe('search');
    expect(await written()).toEqual({
      Codex: { search: { min_context_window: 1000, enabled: true, context_threshold: 0 } },
    });
    expect((await put('direct')).body.surface).toBe('direct');
    expect((await put('auto')).status).toBe(200);
    expect([await surface(), await written()]).toEqual(['auto', { Codex: { search: { min_context_window: 1000 } } }]);
    expect((await put('other')).status).toBe(400);
  });
});
