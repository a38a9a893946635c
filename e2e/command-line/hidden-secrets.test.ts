import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { everything, type Home, HUB_TOKEN, junctor, makeHome, promise, startHub, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { missingTerminal, startAtTerminal } from '../sign-in/at-terminal.ts';

/** With signs that JSON, YAML and URLs write otherwise. */
const VALUE = 'Corr3ct "horse"\\battery/staple+100%';

/** However it may be written. */
const SPELLINGS = [VALUE, JSON.stringify(VALUE).slice(1, -1), encodeURIComponent(VALUE), btoa(VALUE)];

/** Written into the config as it is. */
const IN_ADDRESS = 'k3y-in-the-address';
const IN_ARGUMENT = 'passw0rd-of-a-database';

const MANY_COMMANDS_MS = 120_000;

const loud = 'console.error(`the key is ${process.env.API_KEY}`); process.exit(3)';

/** A server that shows whoever asks the header it was sent. */
async function tellingServer() {
  const server = createServer((request, response) => {
    response.writeHead(500, { 'content-type': 'text/plain', 'x-seen': 'yes' });
    response.end(`no entry at ${request.url} with ${request.headers['x-api-key']}`);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      await new Promise(resolve => server.close(resolve).closeAllConnections());
    },
  };
}

describe('the value of a secret', () => {
  promise(
    '1.7l',
    'is in no output, error, status or log, with --debug neither',
    async () => {
      await using home = await makeHome();
      await using telling = await tellingServer();
      await junctor(home, ['secret', 'set', 'KEY'], { input: VALUE });
      const secret = '${secret:KEY}';
      const servers = {
        // It returns its whole environment to whoever asks.
        frank: trusted({ ...everything(), env: { API_KEY: secret } }),
        dying: {
          transport: 'stdio',
          command: process.execPath,
          args: ['-e', loud, `postgres://me:${IN_ARGUMENT}@db/app`],
          env: { API_KEY: secret },
        },
        telling: {
          transport: 'http',
          url: `${telling.url}?token=${IN_ADDRESS}`,
          headers: { 'X-Api-Key': secret },
          oauth: false,
        },
      };
      const config = { version: 1, servers };
      await home.write('config/junctor/config.json', config);
      const commands = [
        ...[['list'], ['get', 'frank'], ['tools', 'frank'], ['call', 'frank', 'get-env'], ['test', 'frank']],
        ...[
          ['test', 'dying'],
          ['call', 'dying', 'x'],
          ['test', 'telling'],
        ],
      ].map(words => ['mcp', ...words]);
      commands.push(['doctor', 'dying'], ['explain', 'frank'], ['secret', 'list'], ['validate'], ['stats']);
      const ran: [string, string][] = [];
      for (const words of commands) {
        const { stdout, stderr } = await junctor(home, [...words, '--debug']);
        ran.push([words.join(' '), stdout + stderr]);
      }
      const json = await junctor(home, ['mcp', 'call', 'frank', 'get-env', '--json']);
      ran.push(['json', json.stdout + json.stderr]);
      // The server had it.
      expect(ran.find(([words]) => words === 'mcp call frank get-env')?.[1]).toContain('"API_KEY": "•••"');
      await using hub = await startHub(home, config, ['--debug']);
      for (const path of ['/api/status', '/api/servers', '/api/tools', '/api/mcp-config?agent=codex', '/metrics']) {
        ran.push([path, await (await hub.fetch(path)).text()]);
      }
      await hub[Symbol.asyncDispose]();
      ran.push(['the log of the hub', hub.stderr().replaceAll(HUB_TOKEN, '')]);
      for (const [what, text] of ran) {
        for (const spelling of [...SPELLINGS, IN_ADDRESS, IN_ARGUMENT])
          expect([what, spelling, text.includes(spelling)]).toEqual([what, spelling, false]);
      }
    },
    MANY_COMMANDS_MS,
  );

  promise('1.7k', 'is asked for where an option comes without it, and is not shown', async context => {
    const missing = missingTerminal();
    if (missing) context.skip(missing);
    const typed = 'typed-by-hand-0815';
    const ways: [string[], RegExp][] = [
      [
        ['--url', 'https://example.com/mcp', '--oauth-client-id', 'me', '--oauth-client-secret'],
        /--oauth-client-secret/,
      ],
      [['--url', 'https://example.com/mcp', '--header', 'X-Api-Key'], /--header X-Api-Key/],
      [['--command', 'x', '--env', 'API_KEY'], /--env API_KEY/],
    ];
    for (const [words, question] of ways) {
      await using home = await makeHome();
      const command = startAtTerminal(home, ['mcp', 'add', 'x', ...words]);
      await command.shows(new RegExp(`${question.source}.*: $`));
      command.type(`${typed}\r`);
      const { code, seen } = await command.ended;
      expect([code, seen]).toEqual([0, expect.stringContaining("added server 'x'")]);
      expect(seen).not.toContain(typed);
      expect(await storedValues(home)).toHaveLength(1);
      const nobody = await junctor(home, ['mcp', 'add', 'y', ...words]);
      expect([nobody.code, nobody.stderr]).toEqual([3, expect.stringContaining('no terminal is there to ask on')]);
    }
    await using home = await makeHome();
    const set = startAtTerminal(home, ['secret', 'set', 'NAME']);
    await set.shows(/Value of secret 'NAME', not shown: /);
    set.type(`${typed}\r`);
    const { code, seen } = await set.ended;
    expect([code, seen.includes(typed)]).toEqual([0, false]);
  });
});

async function storedValues(home: Home): Promise<unknown[]> {
  return JSON.parse((await junctor(home, ['secret', 'list', '--json'])).stdout).secrets;
}
