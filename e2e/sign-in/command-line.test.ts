import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { type Home, junctor, makeHome, promise } from '@junctor/testkit';
import { type Authority, type AuthorityOptions, makeBrowserProgram, startAuthority } from '@junctor/testkit/authority';
import { serveHttp } from '@junctor/testkit/test-server';
import { describe, expect, test } from 'vitest';
import { missingTerminal, start, startAtTerminal } from './at-terminal.ts';

interface World extends AsyncDisposable {
  readonly home: Home;
  readonly authority: Authority;
}

/** A house whose config has one server, `guarded`, behind an authority. */
async function makeWorld(options: AuthorityOptions = {}): Promise<World> {
  const authority = await startAuthority(options);
  const home = await makeHome();
  await home.write('config/junctor/config.json', {
    version: 1,
    servers: { guarded: { transport: 'http', url: authority.mcpUrl, trust: 'trusted' } },
  });
  return {
    home,
    authority,
    async [Symbol.asyncDispose]() {
      await authority.close();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** The file as it lies there: what a person would find. */
async function stored(home: Home): Promise<Record<string, { access_token?: string; refresh_token?: string }>> {
  const text = await readFile(join(home.data, 'mcp-auth.json'), 'utf8').catch(() => '{}');
  return JSON.parse(text).servers ?? {};
}

const signedIn = /^signed in to 'guarded' \((?:account \w+, )?scope tools:read[^)]*, until \d{4}-[^)]+\)$/m;
const address = /^ {2}(http:\/\/\S+)\r?\n/m;

describe('mcp login', () => {
  promise(
    ['2.3h', '2.4h', '2.4i', '2.4j', '4.1ac', 'C11.1c', 'C11.4k', 'C11.4n'],
    'opens the browser, takes the code on a loopback callback and keeps the token until logout',
    async () => {
      await using world = await makeWorld();
      const { home, authority } = world;
      const browser = await makeBrowserProgram(home);

      const login = await junctor(home, ['mcp', 'login', 'guarded', '--yes'], { env: browser.env });
      expect(login).toMatchObject({ code: 0, stdout: expect.stringMatching(signedIn) });
      const back = new URL(authority.authorizationRequests[0]?.params.redirect_uri ?? '');
      expect([back.protocol, back.hostname, Number(back.port) > 0]).toEqual(['http:', '127.0.0.1', true]);
      await expect
        .poll(browser.opened)
        .toMatchObject([{ end: { status: 200, url: expect.stringContaining(back.href) } }]);

      // The authority is elsewhere: only the metadata of the server leads there (RFC 9728). The code is bound by PKCE.
      expect(new URL(authority.issuer).origin).not.toBe(new URL(authority.mcpUrl).origin);
      expect(authority.authorizationRequests[0]?.params).toMatchObject({
        response_type: 'code',
        code_challenge_method: 'S256',
        resource: authority.mcpUrl,
      });

      const entry = (await stored(home)).guarded;
      expect(entry).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
      for (const secret of [entry?.access_token, entry?.refresh_token]) {
        expect(login.stdout + login.stderr).not.toContain(secret);
      }

      // Another process, hence another start of everything: the token is all it has.
      const args = ['--args', '{"text":"hello"}'];
      expect(await junctor(home, ['mcp', 'call', 'guarded', 'echo', ...args])).toMatchObject({
        code: 0,
        stdout: 'hello\n',
      });
      expect(authority.requests).toMatchObject({ authorizations: 1, registrations: 1, tokens: 1 });

      const logout = await junctor(home, ['mcp', 'logout', 'guarded']);
      expect(logout).toMatchObject({ code: 0, stdout: 'signed out of guarded\n' });
      expect(await stored(home)).not.toHaveProperty('guarded.access_token');
      const refused = await junctor(home, ['mcp', 'call', 'guarded', 'echo', ...args]);
      expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('try: junctor mcp login guarded') });
      for (const words of [
        ['mcp', 'tools'],
        ['mcp', 'tools', 'guarded'],
      ])
        expect((await junctor(home, [...words, '--fresh'])).code).toBe(3);
      expect(authority.requests.authorizations).toBe(1);
    },
  );

  test('a server that is removed leaves its sign-in, says so, and takes it along where that is wanted', async () => {
    await using world = await makeWorld();
    const { home, authority } = world;
    const browser = await makeBrowserProgram(home);
    const run = (...words: string[]) => junctor(home, ['mcp', ...words], { env: browser.env });
    const add = () => run('add', 'other', '--scope', 'global', '--url', authority.mcpUrl);
    await add();
    await run('login', 'other', '--yes');
    const removed = await run('remove', 'other', '--scope', 'global', '--json');
    expect(JSON.parse(removed.stdout)).toMatchObject({ sign_ins_left: ['other'] });
    expect(removed.stderr).toContain('you are still signed in to other; to sign out: junctor mcp logout other --all');
    expect(await stored(home)).toHaveProperty('other.access_token');
    await add();
    expect((await run('remove', 'other', '--scope', 'global', '--forget')).stderr).toContain('signed out of other');
    expect(await stored(home)).not.toHaveProperty('other');
  });

  promise('2.3i', 'asks before the browser opens, and a no opens nothing', async context => {
    const missing = missingTerminal();
    if (missing) context.skip(missing);
    await using world = await makeWorld();
    const { home, authority } = world;
    const browser = await makeBrowserProgram(home);
    const question = new RegExp(
      `'guarded' asks you to sign in at ${new URL(authority.issuer).host}. Open the browser\\?`,
    );

    const no = startAtTerminal(home, ['mcp', 'login', 'guarded'], browser.env);
    await no.shows(question);
    expect(await browser.opened()).toEqual([]);
    no.type('n\r');
    const { code, seen } = await no.ended;
    expect(code).toBe(3);
    expect(seen).toContain("You did not sign in to server 'guarded'; nothing was opened. (auth_required)");
    expect(await browser.opened()).toEqual([]);
    expect(authority.requests).toMatchObject({ authorizations: 0, tokens: 0 });
    expect(await stored(home)).not.toHaveProperty('guarded.access_token');

    const yes = startAtTerminal(home, ['mcp', 'login', 'guarded'], browser.env);
    await yes.shows(question);
    expect(authority.requests.authorizations).toBe(0);
    yes.type('y\r');
    expect(await yes.ended).toMatchObject({ code: 0, seen: expect.stringMatching(/signed in to 'guarded'/) });
    expect(await browser.opened()).toHaveLength(1);
  });

  promise('2.3n', 'without a browser it prints the address and takes the redirect URL by paste', async () => {
    await using world = await makeWorld();
    const { home, authority } = world;
    const ways: readonly (readonly [readonly string[], Record<string, string>, string])[] = [
      [['--no-browser'], { BROWSER: '/never/opened' }, ''],
      [[], { SSH_CONNECTION: '10.0.0.1 50000 10.0.0.2 22' }, ' (this is an SSH session)'],
    ];
    for (const [words, env, why] of ways) {
      const login = start(home, ['mcp', 'login', 'guarded', ...words], env);
      const url = await login.shows(address);
      expect(login.seen()).toContain(`Open this address in a browser, on this machine or another${why}:`);
      const { url: back, page } = await authority.browser.visit(url, { follow: false });
      expect(page).toBe('');
      login.type(`${back}\n`);
      expect(await login.ended).toMatchObject({ code: 0, seen: expect.stringMatching(signedIn) });
      expect((await stored(home)).guarded?.access_token).toEqual(expect.any(String));
      await junctor(home, ['mcp', 'logout', 'guarded']);
    }
  });

  test('at a terminal, what is no redirect URL may be pasted again', async context => {
    const missing = missingTerminal();
    if (missing) context.skip(missing);
    await using world = await makeWorld();
    const login = startAtTerminal(world.home, ['mcp', 'login', 'guarded', '--no-browser']);
    const url = await login.shows(address);
    login.type('https://example.com/\r');
    await login.shows(/That is not the address your browser ended on/);
    login.type(`${(await world.authority.browser.visit(url, { follow: false })).url}\r`);
    expect(await login.ended).toMatchObject({ code: 0, seen: expect.stringContaining("signed in to 'guarded'") });
  });

  test('a browser of this machine ends on the callback while a paste is waited for', async () => {
    await using world = await makeWorld();
    const login = start(world.home, ['mcp', 'login', 'guarded', '--no-browser']);
    const { status, page } = await world.authority.browser.visit(await login.shows(address));
    expect([status, page]).toEqual([200, expect.stringContaining('close this page')]);
    expect(await login.ended).toMatchObject({ code: 0, seen: expect.stringMatching(signedIn) });
  });

  test('without a terminal and without --yes a person is needed', async () => {
    await using world = await makeWorld();
    const browser = await makeBrowserProgram(world.home);
    const asked = await junctor(world.home, ['mcp', 'login', 'guarded'], { env: browser.env });
    expect(asked).toMatchObject({ code: 3, stdout: '' });
    expect(asked.stderr).toContain('why: the browser opens only after a yes, and no terminal is there to ask on');
    expect(asked.stderr).toContain('try: junctor mcp login guarded --yes');
    expect(await browser.opened()).toEqual([]);

    const pasted = await junctor(world.home, ['mcp', 'login', 'guarded', '--no-browser'], { env: browser.env });
    expect(pasted.code).toBe(3);
    expect(pasted.stderr).toContain('why: no browser was opened, and stdin ended before an address was pasted');
    const wrong = await junctor(world.home, ['mcp', 'login', 'guarded', '--no-browser'], { input: 'hello\n' });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('it holds neither code= nor error=') });
    expect(world.authority.requests.tokens).toBe(0);
  });

  test('a person who says no at the authority is told so', async () => {
    await using world = await makeWorld();
    const browser = await makeBrowserProgram(world.home, { consent: false });
    const login = await junctor(world.home, ['mcp', 'login', 'guarded', '--yes'], { env: browser.env });
    expect(login).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('access_denied') });
    expect(await stored(world.home)).not.toHaveProperty('guarded.access_token');
  });

  test.for(['wrong', 'missing'] as const)('an answer with a %s state stores nothing', async state => {
    await using world = await makeWorld({ behaviour: { state } });
    const login = start(world.home, ['mcp', 'login', 'guarded', '--no-browser']);
    const { url } = await world.authority.browser.visit(await login.shows(address), { follow: false });
    login.type(`${url}\n`);
    const { code, seen } = await login.ended;
    expect([code, seen]).toEqual([1, expect.stringContaining('state')]);
    expect(world.authority.requests.tokens).toBe(0);
    expect(await stored(world.home)).not.toHaveProperty('guarded.access_token');
  });

  promise('2.3p', 'a server without metadata is a plain error that suggests headers.Authorization', async () => {
    await using world = await makeWorld({ resourceMetadata: 'none', metadata: 'none' });
    const { home, authority } = world;
    const browser = await makeBrowserProgram(home);
    for (const words of [
      ['mcp', 'login', 'guarded', '--yes'],
      ['mcp', 'tools', 'guarded'],
      ['mcp', 'call', 'guarded', 'echo'],
    ]) {
      const { code, stderr } = await junctor(home, words, { env: browser.env });
      expect([words, code]).toEqual([words, 1]);
      expect(stderr).toContain('headers.Authorization');
      expect(stderr).toContain('(connection_failed)');
      expect(stderr).not.toContain('mcp login');
    }
    const status = await junctor(home, ['auth', 'status', '--json']);
    expect(JSON.parse(status.stdout).servers).toMatchObject([{ server: 'guarded', state: 'credentials_required' }]);
    if (!missingTerminal()) {
      const { code, seen } = await startAtTerminal(home, ['mcp', 'login', 'guarded'], browser.env).ended;
      expect([code, seen]).toEqual([1, expect.not.stringContaining('Open the browser?')]);
    }
    expect(await browser.opened()).toEqual([]);
    expect(authority.requests).toMatchObject({ authorizations: 0, tokens: 0 });
  });

  test.for([
    ['/nowhere/browser', 'ENOENT'],
    ['false', 'false ended with code 1'],
  ])('a browser that does not open, %s, leaves the address', async ([BROWSER = '', why]) => {
    await using world = await makeWorld();
    const login = start(world.home, ['mcp', 'login', 'guarded', '--yes'], { BROWSER });
    const url = await login.shows(address);
    await login.shows(/warning: the browser could not be opened: (.*)/);
    expect(login.seen()).toContain(why);
    await world.authority.browser.visit(url);
    expect(await login.ended).toMatchObject({ code: 0, seen: expect.stringMatching(signedIn) });
  });

  test('Ctrl-C gives up, with no port left open', async () => {
    await using world = await makeWorld();
    const login = start(world.home, ['mcp', 'login', 'guarded', '--no-browser']);
    const url = new URL(await login.shows(address));
    await login.shows(/waiting for the sign-in … Ctrl-C to give up/);
    const back = url.searchParams.get('redirect_uri') ?? '';
    login.interrupt();
    expect((await login.ended).code).toBe(130);
    const refused = new Promise(resolve => request(back, { agent: false }).on('error', resolve).end());
    expect(await refused).toMatchObject({ code: 'ECONNREFUSED' });
    if (missingTerminal()) return;
    const typed = startAtTerminal(world.home, ['mcp', 'login', 'guarded', '--no-browser']);
    await typed.shows(/waiting for the sign-in/);
    typed.type('\u0003');
    expect(await typed.ended).toMatchObject({ code: 130, seen: expect.stringContaining('Interrupted. (cancelled)') });
  });

  test('--device signs in with a code that is entered elsewhere', async () => {
    await using world = await makeWorld({ deviceFlow: true });
    const login = start(world.home, ['mcp', 'login', 'guarded', '--device']);
    expect(await login.shows(/and enter the code (\S+)/)).toMatch(/^\w{4}-\w{4}$/);
    await world.authority.browser.visit(await login.shows(address));
    expect(await login.ended).toMatchObject({ code: 0, seen: expect.stringContaining("signed in to 'guarded'") });
  });

  test('--callback-port, --scope and --json', async () => {
    await using world = await makeWorld();
    const { home, authority } = world;
    const browser = await makeBrowserProgram(home);
    const words = ['mcp', 'login', 'guarded', '--yes', '--json', '--scope', 'tools:read tools:admin'];
    const login = await junctor(home, words, { env: browser.env });
    expect(login.code).toBe(0);
    expect(JSON.parse(login.stdout)).toMatchObject({
      signed_in: true,
      server: 'guarded',
      issuer: authority.issuer,
      scope: expect.stringContaining('tools:admin'),
      expires_at: expect.any(Number),
    });
    const taken = new URL(authority.issuer).port;
    const busy = await junctor(home, ['mcp', 'login', 'guarded', '--yes', '--callback-port', taken], {
      env: browser.env,
    });
    expect(busy).toMatchObject({ code: 1, stderr: expect.stringContaining(`port ${taken}. (port_in_use)`) });
    const bad = await junctor(home, ['mcp', 'login', 'guarded', '--callback-port', '99999']);
    expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('a number from 0 to 65535') });
  });
});

describe('accounts', () => {
  promise('2.4i', 'each is signed in and out by itself', async () => {
    await using world = await makeWorld();
    const { home } = world;
    for (const [account, words] of [
      ['ada', []],
      ['ben', ['--account', 'work']],
    ] as const) {
      const browser = await makeBrowserProgram(home, { account });
      const login = await junctor(home, ['mcp', 'login', 'guarded', '--yes', ...words], { env: browser.env });
      expect(login).toMatchObject({ code: 0, stderr: expect.not.stringContaining('error') });
    }
    expect(Object.keys(await stored(home)).sort()).toEqual(['guarded', 'guarded#work']);

    const status = await junctor(home, ['auth', 'status']);
    expect(status.code).toBe(0);
    const rows = status.stdout.trimEnd().split('\n');
    expect(rows.map(row => row.split(/ {2,}(?:UNTIL|\d)/)[0]?.split(/ {2,}/))).toEqual([
      ['SERVER', 'ACCOUNT', 'STATE'],
      ['guarded', 'signed in'],
      ['guarded', 'work', 'signed in'],
    ]);

    expect(await junctor(home, ['mcp', 'logout', 'guarded', '--account', 'work', '--json'])).toMatchObject({ code: 0 });
    const left = await stored(home);
    expect([left.guarded?.access_token, left['guarded#work']?.access_token]).toEqual([expect.any(String), undefined]);
    const all = await junctor(home, ['mcp', 'logout', 'guarded', '--all']);
    expect(all).toMatchObject({ code: 0, stdout: 'signed out of guarded\n' });
    expect(await junctor(home, ['mcp', 'logout', 'guarded'])).toMatchObject({
      code: 0,
      stdout: "nobody was signed in to 'guarded'\n",
    });
  });
});

describe('auth status', () => {
  promise('8.10h', 'tells of every server what is stored, for people and for programs', async () => {
    await using world = await makeWorld();
    const { home, authority } = world;
    expect(await junctor(home, ['auth', 'status', 'guarded'])).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^guarded +not signed in$/m),
    });
    expect(await junctor(home, ['auth', 'status', 'nobody'])).toMatchObject({ code: 1 });
    const browser = await makeBrowserProgram(home);
    await junctor(home, ['mcp', 'login', 'guarded', '--yes'], { env: browser.env });
    const { code, stdout } = await junctor(home, ['auth', 'status', 'guarded', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      servers: [
        {
          server: 'guarded',
          state: 'signed_in',
          issuer: authority.issuer,
          scope: expect.stringContaining('tools:read'),
          expires_at: expect.any(Number),
          refreshable: true,
        },
      ],
    });
    expect(stdout).not.toContain((await stored(home)).guarded?.access_token);
    // Nothing was asked of the server or of the authority for it.
    expect(authority.requests).toMatchObject({ tokens: 1, introspections: 0 });
    const all = await junctor(home, ['auth', 'status']);
    expect(all.stdout).toMatch(/^guarded +signed in +\d{4}-\S+ +tools:read\S* +http:\S+$/m);
    for (const secret of Object.values((await stored(home)).guarded ?? {}).filter(one => typeof one === 'string')) {
      if (/^https?:|tools:read/.test(secret) || secret.length < 12) continue;
      expect(all.stdout + all.stderr).not.toContain(secret);
    }
  });

  test('asks the servers that nothing is stored for, and only those with an address', async () => {
    await using world = await makeWorld();
    const { home, authority } = world;
    const open = await serveHttp(0);
    await using _ = { [Symbol.asyncDispose]: () => open.close() };
    await home.write('config/junctor/config.json', {
      version: 1,
      servers: {
        guarded: { transport: 'http', url: authority.mcpUrl },
        open: { transport: 'http', url: open.url },
        gone: { transport: 'http', url: 'http://127.0.0.1:9/mcp' },
        local: { transport: 'stdio', command: '/never/started' },
      },
    });
    const { code, stdout } = await junctor(home, ['auth', 'status', '--json']);
    const states = JSON.parse(stdout).servers.map(({ server, state }: Record<string, string>) => [server, state]);
    expect([code, states]).toEqual([
      0,
      [
        ['guarded', 'signed_out'],
        ['open', 'not_needed'],
        ['gone', 'unknown'],
        ['local', 'not_needed'],
      ],
    ]);
  });
});

test('completion knows the words and their options', async () => {
  await using home = await makeHome();
  const { stdout } = await junctor(home, ['completion', 'bash']);
  expect(stdout).toMatch(/'mcp'\) words='[^']*\blogin logout\b/);
  expect(stdout).toMatch(/'auth'\) words='status'/);
  expect(stdout).toMatch(/'mcp login'\) options='[^']*--no-browser --device --callback-port --yes/);
});
