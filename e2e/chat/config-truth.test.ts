/** Chat shows what the config says: problems, invalid servers, what waits, and changes while it runs. */
import { type Home, junctor, makeHome, misbehaving, promise, testServer, trusted } from '@junctor/testkit';
import { startAuthority } from '@junctor/testkit/authority';
import { startModel } from '@junctor/testkit/model';
import { openTerminal, type TestTerminal } from '@junctor/testkit/terminal';
import { expect } from 'vitest';

const USER = 'config/junctor/config.json';
const chat = (home: Home, url = 'http://127.0.0.1:9/v1'): TestTerminal =>
  openTerminal(home, ['chat', '--base-url', url, '--model', 'scripted']);

promise('4.3p', 'a broken file and an invalid server are shown at the start, by /mcp and by /mcp status', async () => {
  await using home = await makeHome();
  await home.write(USER, '{ "version": 1, "servers": { "mem": { "transport": "stdio" "command": "x" } } }');
  {
    await using terminal = chat(home);
    await terminal.shows(/no usable MCP servers\.[\s\S]*warning: .*config\.json:1:\d+: Not valid JSON[\s\S]*›$/);
    expect(await terminal.enter('/mcp', /Not valid JSON[\s\S]*\n›$/)).not.toContain('no MCP servers configured');
  }
  await home.write(USER, { servers: { demo: testServer(), bad: { transport: 'stdio' } } });
  await using terminal = chat(home);
  await terminal.shows(/warning: .*servers\.bad\.command: Missing 'command'[\s\S]*›$/);
  expect(await terminal.enter('/mcp', /\n›$/)).toMatch(/bad +- +global +false +invalid +0/);
  expect(await terminal.enter('/mcp status', /\n›$/)).toMatch(/bad +│ Invalid/);
});

promise('4.3p', 'one question from the command line tells the same problems beside the answer', async () => {
  await using home = await makeHome();
  await home.write(USER, { servers: { bad: { transport: 'stdio' } } });
  await using model = await startModel([{ text: 'hello' }]);
  const { code, stdout, stderr } = await junctor(home, ['chat', '--base-url', model.url, '--model', 'm', '-p', 'hi']);
  expect([code, stdout]).toEqual([0, 'hello\n']);
  expect(stderr).toMatch(/warning: .*servers\.bad\.command: Missing 'command'/);
});

promise('4.3q', 'chat follows a changed config, and names servers that wait for approval', async () => {
  await using home = await makeHome();
  await home.write(USER, { servers: {} });
  await using terminal = chat(home);
  await terminal.shows(/no MCP servers configured[\s\S]*›$/);
  await home.write(USER, { servers: { demo: trusted(testServer()) } });
  await terminal.shows(/the config changed: added demo/);
  await home.write('project/junctor.json', { servers: { theirs: testServer() } });
  await terminal.shows(/waiting for approval: theirs \(junctor trust add theirs\)/);
  await home.write(USER, { servers: { demo: trusted(testServer()), bad: { transport: 'stdio' } } });
  // What was good stays in use until the mistake is gone.
  await terminal.shows(/The changed config has problems; the last good one stays in use[\s\S]*servers\.bad\.command/);
  await home.write(USER, { servers: {} });
  await terminal.shows(/the config changed: removed demo/);
});

promise(
  '4.3r',
  'a server that needs a sign-in comes with the command to type, and a failure is told once',
  async () => {
    await using home = await makeHome();
    await using authority = await startAuthority({});
    const dead = misbehaving('dies-early');
    await home.write(USER, {
      servers: { notion: { transport: 'http', url: authority.mcpUrl }, dead },
      health: { reconnect_attempts: 1 },
    });
    await using model = await startModel([{ text: 'one' }, { text: 'two' }]);
    await using terminal = chat(home, model.url);
    await terminal.shows(/'notion' unavailable: .* To sign in: \/mcp auth notion/);
    expect(await terminal.enter('/mcp notion', /auth_required[\s\S]*\n›$/)).toMatch(/try +\/mcp auth notion/);
    await terminal.enter('first', /one\n›/);
    await terminal.enter('second', /two\n›/);
    expect(terminal.screen().match(/'dead' unavailable/g)).toHaveLength(1);
  },
);

promise(
  '2.13h',
  'a sampling request of an untrusted server is asked about, and refused only by the person',
  async () => {
    await using home = await makeHome();
    await home.write(USER, { servers: { demo: testServer() }, permissions: { allow: ['mcp__demo__*'] } });
    const call = { calls: [{ name: 'mcp__demo__ask_model', args: { prompt: 'write a word' } }] };
    await using model = await startModel([call, { text: 'sampled words' }, { text: 'done' }]);
    await using terminal = chat(home, model.url);
    await terminal.shows(/›$/);
    terminal.type('go\r');
    await terminal.shows(/Let server 'demo' use your model\?[\s\S]*Allow it\?/);
    terminal.type('o\r');
    await terminal.shows(/done\n›/);
    expect(terminal.screen()).toContain('sampled words');
  },
);
