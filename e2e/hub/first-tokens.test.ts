/** Which credentials the hub takes from its environment, prints, and names to agents and people. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Home, junctor, makeHome, promise, startHub, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { missingTerminal, start, startAtTerminal } from '../sign-in/at-terminal.ts';
import { rest } from './rest-client.ts';

const noTerminal = missingTerminal();
const words = (home: Home) => ['hub', '--isolated', '--data', home.data, '--port', '0'];

describe('the environment of a hub', () => {
  promise('9.5h', "gives a person's token in JUNCTOR_HUB_TOKEN alone, and no short one", async () => {
    await using home = await makeHome();
    const agents = (await junctor(home, ['hub', 'token', '--agent', 'cursor', '--data', home.data])).stdout.trim();
    const own = 'x'.repeat(32);
    const hub = start(home, words(home), { JUNCTOR_TOKEN: agents, JUNCTOR_HUB_TOKEN: own });
    const url = await hub.shows(/Junctor hub: (\S+)\n/);
    await hub.shows(/(JUNCTOR_TOKEN does not count here: it is an agent's variable)/);
    const status = async (token: string) =>
      (await fetch(`${url}/api/tokens`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect([await status(agents), await status(own)]).toEqual([403, 200]);
    hub.interrupt();
    await hub.ended;
    const refused = async (token: string) => {
      const { code, stderr } = await junctor(home, words(home), { env: { JUNCTOR_HUB_TOKEN: token } });
      return [code, stderr.split('\n')[0]];
    };
    expect(await refused('1')).toEqual([2, 'error: JUNCTOR_HUB_TOKEN has fewer than 32 characters. (usage)']);
    expect(await refused(agents)).toEqual([2, "error: JUNCTOR_HUB_TOKEN is the token of agent 'cursor'. (usage)"]);
  });
});

describe('a hub that starts', () => {
  promise('10.8f', 'prints no address that logs in where nobody sits at a terminal', async () => {
    await using home = await makeHome();
    for (const more of [[], ['--json']]) {
      const hub = start(home, [...words(home), ...more]);
      await hub.shows(/(the hub listens)/);
      hub.interrupt();
      const { seen } = await hub.ended;
      expect(seen).not.toContain('code=');
      if (more.length === 0) expect(seen).toContain(`  page     junctor hub page --data ${home.data}\n`);
    }
  });

  test.skipIf(noTerminal)('prints it at a terminal', async () => {
    await using home = await makeHome();
    const hub = startAtTerminal(home, words(home));
    const address = await hub.shows(/page {5}(http:\/\/127\.0\.0\.1:\d+\/\?code=[\w-]{43}) /);
    expect((await fetch(address)).headers.get('set-cookie')).toContain('junctor_');
    expect(hub.seen()).toContain('once, within 10 minutes');
    hub.interrupt();
    await hub.ended;
  });
});

describe('an agent', () => {
  promise('10.8g', 'is sent for its own token, and comes with it through connect', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { version: 1, servers: { demo: trusted(testServer()) } });
    const hint = async (path: string, token = '') => {
      const answer = await hub.fetch(path, { method: 'POST', token });
      return [answer.status, (await answer.text()).match(/junctor hub token[^,;]*/)?.[0]];
    };
    const data = ` --data ${home.data}`;
    expect(await hint('/mcp/codex')).toEqual([401, `junctor hub token --agent codex${data} prints one`]);
    expect(await hint('/ws/Claude_Code', 'jct_x')).toEqual([
      401,
      `junctor hub token --agent claude-code${data} prints one`,
    ]);
    expect(await hint('/servers/demo/mcp')).toEqual([401, `junctor hub token --agent <agent>${data} prints one`]);
    expect(await hint('/api/tokens')).toEqual([401, `junctor hub token${data} prints one`]);

    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const call = { name: 'demo_echo', arguments: { text: 'hi' } };
    const lines = [
      { id: 1, method: 'initialize', params },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: call },
    ];
    const input = lines.map(line => `${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`).join('');
    const { token } = JSON.parse(await readFile(join(home.data, 'hub.json'), 'utf8')) as { token: string };
    const made = await rest(hub, '/api/tokens', { method: 'POST', body: { agent: 'codex' } });
    for (const env of [{}, { JUNCTOR_TOKEN_CODEX: made.body.token, JUNCTOR_TOKEN: 'jct_of-another' }]) {
      const { code, stdout } = await junctor(home, ['connect', 'codex', '--data', home.data], { input, env });
      expect([code, stdout.includes('"hi"'), stdout.includes(token)]).toEqual([0, true, false]);
    }
    await expect.poll(async () => (await rest(hub, '/api/calls')).body.calls.length).toBe(2);
    const { calls } = (await rest(hub, '/api/calls')).body;
    expect(calls.map(({ bearer, agent }: Record<string, string>) => [bearer, agent])).toEqual([
      ['agent', 'codex'],
      ['agent', 'codex'],
    ]);
  });
});
