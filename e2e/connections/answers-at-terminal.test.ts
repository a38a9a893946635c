import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Home, junctor, makeHome, promise, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { missingTerminal, startAtTerminal } from '../sign-in/at-terminal.ts';

const call = (tool: string) => ['mcp', 'call', 'demo', tool];

/** These texts one after the other, with nothing between but white space and where the cursor goes. */
function inTurn(...texts: readonly string[]): RegExp {
  return new RegExp(texts.map(RegExp.escape).join('(?:\\s|\u001b\\[\\d*[A-Z])+'));
}

async function homeWith(era: string): Promise<Home> {
  const home = await makeHome();
  const servers = { demo: trusted(testServer('--era', era)) };
  await home.write('config/junctor/config.json', { version: 1, servers });
  return home;
}

/** Keeps what it is given in a file instead of showing it. */
async function browserOf(home: Home): Promise<{ env: { BROWSER: string }; opened: () => Promise<string> }> {
  const file = join(home.path, 'opened');
  const script = `#!/bin/sh\nprintf %s "$1" > ${file}.part && mv ${file}.part ${file}\n`;
  const program = await home.write('browser.sh', script);
  const { chmod } = await import('node:fs/promises');
  await chmod(program, 0o755);
  return { env: { BROWSER: program }, opened: () => readFile(file, 'utf8').catch(() => '') };
}

describe.each(['legacy', 'modern'])('junctor mcp call, with a server of the %s era that asks', era => {
  promise('2.13d', 'puts its form to the person, field by field, and sends what they agree to', async context => {
    const missing = missingTerminal();
    if (missing) return context.skip(missing);
    await using home = await homeWith(era);
    const command = startAtTerminal(home, call('ask_person'));
    await command.shows(/Server 'demo' asks: What is your name, and which colour do you like\?/);
    await command.shows(/It wants to know 2 things\. Answer it\? \[y\/N\] /);
    command.type('y\r');
    await command.shows(/Your name: /);
    command.type('\r');
    await command.shows(inTurn('it is required', 'Your name: '));
    command.type('Ada\r');
    await command.shows(inTurn('1) red', '2) green', '3) blue', 'A colour (a number) [2]: '));
    command.type('3\r');
    await command.shows(inTurn('name: "Ada"', 'colour: "blue"', "Send this to server 'demo'? [y/N] "));
    command.type('y\r');
    const { code, seen } = await command.ended;
    expect([code, seen.trimEnd().split(/\r?\n/).at(-1)]).toEqual([
      0,
      '{"action":"accept","content":{"name":"Ada","colour":"blue"}}',
    ]);
  });

  promise('2.13d', 'shows the whole address of a page and who asks, and opens it after a yes', async context => {
    const missing = missingTerminal();
    if (missing) return context.skip(missing);
    await using home = await homeWith(era);
    const browser = await browserOf(home);
    const command = startAtTerminal(home, call('ask_url'), browser.env);
    await command.shows(
      /Server 'demo' wants you to visit a page on example\.com: Please open this page and come back\./,
    );
    await command.shows(inTurn('  https://example.com/junctor-test-server', 'Open it in your browser? [y/N] '));
    expect(await browser.opened()).toBe('');
    command.type('y\r');
    const { code, seen } = await command.ended;
    expect([code, seen]).toEqual([0, expect.stringContaining('{"action":"accept"}')]);
    await expect.poll(browser.opened, { timeout: 10_000 }).toBe('https://example.com/junctor-test-server');
  });

  promise('2.13d', 'tells it that the person declined, or left the question', async context => {
    const missing = missingTerminal();
    if (missing) return context.skip(missing);
    await using home = await homeWith(era);
    for (const [typed, action] of [
      ['n\r', 'decline'],
      ['\u0004', 'cancel'],
    ] as const) {
      const command = startAtTerminal(home, call('ask_person'));
      await command.shows(/Answer it\? \[y\/N\] /);
      command.type(typed);
      const { code, seen } = await command.ended;
      expect([code, seen]).toEqual([0, expect.stringContaining(`{"action":"${action}"}`)]);
    }
  });

  test('ends when the person interrupts the question', async context => {
    const missing = missingTerminal();
    if (missing) return context.skip(missing);
    await using home = await homeWith(era);
    const command = startAtTerminal(home, call('ask_person'));
    await command.shows(/Answer it\? \[y\/N\] /);
    command.type('\u0003');
    expect(await command.ended).toMatchObject({ code: 130, seen: expect.stringContaining('Interrupted.') });
  });

  promise('2.13d', 'declines without a terminal, and says so', async () => {
    await using home = await homeWith(era);
    expect(await junctor(home, call('ask_person'))).toEqual({
      code: 0,
      stdout: '{"action":"decline"}\n',
      stderr:
        "Server 'demo' asks: What is your name, and which colour do you like?\n" +
        '  declined: no terminal is there to answer on\n',
    });
    const { stderr } = await junctor(home, [...call('ask_url'), '--json']);
    expect(stderr).toContain('https://example.com/junctor-test-server');
  });
});

promise('12.6i', 'mcp call shows how a long argument ends, and all of it on request', async context => {
  const missing = missingTerminal();
  if (missing) return context.skip(missing);
  await using home = await makeHome();
  const servers = { demo: testServer() };
  await home.write('config/junctor/config.json', { version: 1, servers, permissions: { ask: ['mcp__demo__*'] } });
  const text = `${'a'.repeat(300)}the-middle${'b'.repeat(300)};the-end`;
  const command = startAtTerminal(home, ['mcp', 'call', 'demo', 'echo', '--args', `'${JSON.stringify({ text })}'`]);
  await command.shows(/characters left out\) …b+;the-end"\s[\s\S]*\(f\)ull arguments/);
  expect(command.seen()).not.toContain('the-middle');
  command.type('f\r');
  await command.shows(/the-middle/);
  command.type('n\r');
  await command.ended;
});
