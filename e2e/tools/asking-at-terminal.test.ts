import { junctor, makeHome, promise, testServer } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { missingTerminal, startAtTerminal } from '../sign-in/at-terminal.ts';

const config = { servers: { demo: testServer() }, permissions: { ask: ['mcp__demo__echo'] } };

describe('junctor mcp call at a terminal', () => {
  const call = (args: string) => ['mcp', 'call', 'demo', 'echo', '--args', `'${args}'`];

  promise('3.4b', 'shows server, tool and arguments, and takes once, session, always or no', async context => {
    const missing = missingTerminal();
    if (missing) return context.skip(missing);
    await using home = await makeHome();
    await home.write('config/junctor/config.json', config);
    const long = 'x'.repeat(300);
    for (const [typed, code] of [
      ['n\r', 1],
      ['\r', 1],
      ['o\r', 0],
      ['s\r', 0],
      ['a\r', 0],
    ] as const) {
      const command = startAtTerminal(home, call(JSON.stringify({ text: long, password: 'hunter2' })));
      await command.shows(/Call 'echo' on server 'demo'\? \(the rule ask mcp__demo__echo\)/);
      await command.shows(/text: "x+… \(\d+ of \d+ characters left out\) …x+"/);
      await command.shows(/password: "•••"/);
      await command.shows(
        /Allow it\? \(o\)nce, for this \(s\)ession, \(a\)lways, always for \(e\)very agent, \(f\)ull arguments, \(r\)eveal hidden values \[N\] /,
      );
      command.type('f\r');
      await command.shows(new RegExp(`text: "${long}"[\\s\\S]*Allow it\\?`));
      command.type(typed);
      expect([typed, (await command.ended).code]).toEqual([typed, code]);
      expect(command.seen()).not.toContain('hunter2');
    }
    expect((await junctor(home, ['mcp', 'call', 'demo', 'echo', '--args', '{"text":"always"}'])).stdout).toBe(
      'always\n',
    );
  });

  promise('3.4r', 'shows a value that is named like a secret when the person wants to judge it', async context => {
    const missing = missingTerminal();
    if (missing) return context.skip(missing);
    await using home = await makeHome();
    await home.write('config/junctor/config.json', config);
    const command = startAtTerminal(home, [...call('{"text":"hi","secret":"rm -rf /"}'), '--debug']);
    await command.shows(/secret: "•••"[\s\S]*\(r\)eveal hidden values/);
    expect(command.seen()).not.toContain('rm -rf');
    command.type('r\r');
    await command.shows(/secret: "rm -rf \/"[\s\S]*Allow it\?/);
    command.type('o\r');
    const { code, seen } = await command.ended;
    // The log does not repeat it.
    expect([code, seen.split('rm -rf').length]).toEqual([0, 2]);
  });

  promise('3.4q', 'asks no second question where only the default would', async context => {
    const missing = missingTerminal();
    if (missing) return context.skip(missing);
    await using home = await makeHome();
    await home.write('config/junctor/config.json', { servers: { demo: testServer() } });
    const command = startAtTerminal(home, call('{"text":"typed by me"}'));
    expect(await command.ended).toMatchObject({ code: 0 });
    expect(command.seen()).toContain('typed by me');
    expect(command.seen()).not.toContain('Allow it?');
  });

  test('is ended by Ctrl-C at the question', async context => {
    const missing = missingTerminal();
    if (missing) return context.skip(missing);
    await using home = await makeHome();
    await home.write('config/junctor/config.json', config);
    const command = startAtTerminal(home, call('{}'));
    await command.shows(/Allow it\?/);
    command.type('\u0003');
    expect(await command.ended).toMatchObject({ code: 130 });
  });
});
