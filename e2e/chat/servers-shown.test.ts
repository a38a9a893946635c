/** What a person sees of servers, their tools and their calls while they talk. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Home, makeHome, promise, testServer, trusted } from '@junctor/testkit';
import { startModel } from '@junctor/testkit/model';
import { openTerminal, type TestTerminal } from '@junctor/testkit/terminal';
import { expect } from 'vitest';
import { missingTerminal, startAtTerminal } from '../sign-in/at-terminal.ts';

const withServers = (home: Home, servers: object): Promise<string> =>
  home.write('config/junctor/config.json', { version: 1, servers });

async function chat(home: Home, url: string): Promise<TestTerminal> {
  const terminal = openTerminal(home, ['chat', '--base-url', url, '--model', 'scripted']);
  await terminal.shows(/\n›$/);
  return terminal;
}

/** The test server behind a program that prints a line first. */
function printing(words: string): object {
  const { command, args = [] } = testServer();
  return trusted({
    transport: 'stdio' as const,
    command: 'sh',
    args: ['-c', `echo "${words}" >&2; exec "$0" "$@"`, command, ...args],
  });
}

promise(
  ['4.3s', '4.3t', '4.3u', '4.3v'],
  'Updated follows the tools, /mcp debug shows stderr, /tools has categories, a lost tool is told plainly',
  async () => {
    await using home = await makeHome();
    await withServers(home, { demo: printing('ready to serve') });
    await using model = await startModel();
    await using terminal = await chat(home, model.url);
    await terminal.enter('/mcp connect demo', /connected 'demo'/);
    expect(await terminal.enter('/mcp debug demo', /prints\n[\s\S]*›$/)).toMatch(/prints\n {2}ready to serve\n/);
    const grouped = await terminal.enter('/tools', /demo:[\s\S]*\n›$/);
    expect(grouped).toMatch(
      /demo: \d+ tools \(\/mcp list-tools\)\n {2}read-only: [^\n]*echo[\s\S]*\n {2}not stated: \S/,
    );

    const updated = async (): Promise<number> => {
      const shown = await terminal.enter('/mcp status', /Connected[\s\S]*\n›$/);
      return Number(/│ demo +│ Connected +│ \d+ +│ (\d+)s ago/.exec(shown)?.[1] ?? 0);
    };
    await expect.poll(updated, { interval: 500, timeout: 60_000 }).toBeGreaterThanOrEqual(3);
    let added = 0;
    const afterChange = async (): Promise<number> => {
      const name = `later_${++added}`;
      model.say({ calls: [{ name: 'mcp__demo__add_tool', args: { name } }] });
      model.say({ text: `made ${name}.` });
      await terminal.enter('add one', new RegExp(`made ${name}\\.\\n›$`));
      return updated();
    };
    await expect.poll(afterChange, { timeout: 60_000 }).toBeLessThan(3);

    await terminal.enter('/mcp disconnect demo', /disconnected 'demo'/);
    model.say({ calls: [{ name: 'mcp__demo__echo', args: { text: 'hi' } }] });
    model.say({ text: 'I see.' });
    const told = await terminal.enter('echo', /I see\.\n›$/);
    const why = "'mcp__demo__echo' is not available: the person disconnected MCP server 'demo'";
    expect(told).toContain(why);
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain(why);
    expect(terminal.bytes()).not.toContain('NoSuchTool');
  },
);

promise('4.3w', 'after a no to the trust question the first line names the server that waits', async () => {
  await using home = await makeHome();
  await home.write('project/junctor.json', { version: 1, servers: { theirs: testServer() } });
  await using terminal = openTerminal(home, ['chat', '--base-url', 'http://127.0.0.1:9/v1', '--model', 'x']);
  await terminal.shows(/\[y\/N\]/);
  terminal.type('n\r');
  expect(await terminal.shows(/junctor chat, x\..*\n/)).toMatch(/waiting for approval: theirs/);
});

promise(['4.3x', '4.3y'], 'chat shows progress, hidden values on request, and times without the person', async () => {
  await using home = await makeHome();
  await withServers(home, { demo: testServer() });
  await using model = await startModel([
    { calls: [{ name: 'mcp__demo__echo', args: { text: 'hi', secret: 'rm -rf /' } }] },
    { text: 'first.' },
    { calls: [{ name: 'mcp__demo__slow', args: { ms: 4000 } }] },
    { text: 'second.' },
  ]);
  await using terminal = await chat(home, model.url);
  await terminal.enter('/mcp connect demo', /connected 'demo'/);
  const began = performance.now();
  const asked = await terminal.enter('one', /\(r\)eveal hidden values/);
  expect(asked).toMatch(/secret: "•••"/);
  terminal.type('r\r');
  await terminal.shows(/secret: "rm -rf \/"/);
  // The person thinks about it: that is what is measured here.
  const thinkingMs = 2500;
  await sleep(thinkingMs);
  terminal.type('o\r');
  const [, value = '', unit] = /✓ demo echo ([\d.]+) (m?s)/.exec(await terminal.shows(/first\.\n›$/)) ?? [];
  const shownMs = Number(value) * (unit === 's' ? 1000 : 1);
  expect([value !== '', shownMs <= performance.now() - began - thinkingMs]).toEqual([true, true]);
  await terminal.enter('two', /allow it\?/);
  terminal.type('o\r');
  await terminal.shows(/⋯ demo slow \[█+·*\] \d+ of \d+/);
  await terminal.shows(/second\.\n›$/);
});

promise('8.6e', 'mcp call at a terminal shows progress while the tool reports it', async context => {
  const missing = missingTerminal();
  if (missing) return context.skip(missing);
  await using home = await makeHome();
  await withServers(home, { demo: trusted(testServer()) });
  const call = startAtTerminal(home, ['mcp', 'call', 'demo', 'slow', '--args', `'{"ms":500}'`]);
  await call.shows(/1 of \d+: step 1/);
  expect((await call.ended).code).toBe(0);
});
