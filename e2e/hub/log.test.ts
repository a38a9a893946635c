/** What a hub says while it runs: for people, and for programs that collect logs. */
import { once } from 'node:events';
import { junctor, makeHome, misbehaving, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { asPosted, post } from './rest-client.ts';

const SECRET = 'very-secret-value-4711';
const dead = { ...misbehaving('dies-early'), env: { TOKEN: SECRET } };
const servers = { demo: trusted(testServer()), dead };
// Tried once: that it is tried again is told elsewhere.
const health = { reconnect_attempts: 0 };

/** Ends it, and reads all it said. */
async function linesOf(hub: RunningHub): Promise<string[]> {
  await expect.poll(() => hub.stderr()).toContain('unavailable');
  await hub[Symbol.asyncDispose]();
  return hub.stderr().trimEnd().split('\n');
}

test('every line for people has its time and its level', async () => {
  await using home = await makeHome();
  await using hub = await startHub(home, { version: 1, servers, health });
  const lines = await linesOf(hub);
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z INFO: the hub listens \{"url":"http:/),
      expect.stringMatching(/Z WARN: MCP server 'dead' unavailable: .*"code":/),
      expect.stringMatching(/Z INFO: closing$/),
    ]),
  );
  for (const line of lines) expect(line).toMatch(/^( {2}|\S+Z (INFO|WARN|ERROR): )/);
});

test('with log.format json every line is an object, secrets masked, and so is the reason why none runs', async () => {
  await using home = await makeHome();
  const config = { version: 1, servers, health, log: { format: 'json', level: 'info' } };
  await using hub = await startHub(home, config);
  // What is said of an agent's own servers says whose they are.
  const posted = await post(hub, 'codex', { enabled: true, servers: { own: asPosted(dead) } });
  expect(posted).toMatchObject({ status: 200 });
  await expect.poll(() => hub.stderr()).toContain("'own' unavailable");
  const words = ['hub', '--port', '0', '--data', home.data, '--log-format', 'json'];
  const second = await junctor(home, words);
  expect([second.code, second.stdout]).toEqual([1, '']);
  expect(JSON.parse(second.stderr)).toMatchObject({ level: 'error', code: 'hub_running', hint: expect.any(String) });
  const lines = await linesOf(hub);
  expect(lines.join()).not.toContain(SECRET);
  const said = lines.map(line => JSON.parse(line) as Record<string, unknown>);
  for (const { time, level, msg } of said)
    expect([new Date(String(time)).getTime() > 0, level, typeof msg]).toEqual([
      true,
      expect.stringMatching(/^(info|warn|error)$/),
      'string',
    ]);
  expect(said).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ msg: 'the hub listens', url: hub.url, pid: hub.pid }),
      expect.objectContaining({ level: 'info', msg: "server 'demo' is ready" }),
      expect.objectContaining({ level: 'warn', msg: expect.stringContaining("'own' unavailable"), agent: 'codex' }),
      expect.objectContaining({ msg: 'closing' }),
    ]),
  );
});

test('log.level error leaves only errors, --log-format counts more than the config, and a wrong one is told', async () => {
  await using home = await makeHome();
  const config = { version: 1, servers: {}, log: { format: 'json', level: 'error' } };
  await using hub = await startHub(home, config);
  const ended = once(hub.process, 'close');
  hub.terminate();
  await ended;
  expect(hub.stderr()).toBe('');
  const { log } = config;
  await using other = await startHub(home, { ...config, log: { format: log.format } }, ['--log-format', 'text']);
  await expect.poll(() => other.stderr()).toMatch(/Z INFO: the hub listens/);
  const wrong = await junctor(home, ['hub', '--log-format', 'yaml']);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("--log-format cannot be 'yaml'")]);
});
