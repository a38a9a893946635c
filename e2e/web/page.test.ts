import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { processesMarked, promise, type RunningHub, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { RawClient } from '../hub/rpc.ts';
import { newAddress, open, visit } from './browser.ts';

const CONFIG = {
  version: 1,
  servers: {
    demo: trusted(testServer()),
    broken: { transport: 'stdio', command: '/nowhere/at-all', trust: 'trusted' },
  },
};

describe('the page', () => {
  promise(
    ['8.25d', '9.5i'],
    'is served at /, logs in with a code that is good once, and tells who is logged out',
    async context => {
      await visit(context, CONFIG, async ({ hub, page, context: browser }) => {
        await expect.poll(() => page.locator('dl').innerText()).toContain('1 of 2');
        expect(page.url()).not.toContain('code');
        for (const path of ['/', '/favicon.svg', '/healthz', '/readyz', await scriptOf(hub)])
          expect((await hub.fetch(path, { token: '' })).status, path).toBe(200);
        expect((await hub.fetch('/api/servers', { token: '' })).status).toBe(401);
        const address = await newAddress(hub);
        const other = await browser.browser()?.newContext();
        const stranger = await other?.newPage();
        await stranger?.goto(hub.url);
        await stranger?.getByText('This browser is not logged in.').waitFor();
        await stranger?.goto(address);
        await stranger?.getByRole('heading', { name: 'Overview' }).waitFor();
        expect((await stranger?.goto(address))?.status()).toBe(403);
        await other?.close();
        // Addresses that a person types, or that lost their #.
        for (const [typed, title] of [
          ['/agents/codex', 'codex'],
          ['/servers', 'Servers'],
        ] as const) {
          await page.goto(`${hub.url}${typed}`);
          await page.getByRole('heading', { name: title, exact: true }).first().waitFor();
          expect(page.url()).toBe(`${hub.url}/#${typed}`);
        }
        const client = { accept: 'application/json, text/event-stream' };
        expect((await hub.fetch('/agents/codex', { headers: client })).status).toBe(404);
      });
    },
  );

  test('tells of a server that dies while it is watched, and of what is wrong with another', async context => {
    const mark = randomUUID();
    await visit(context, CONFIG, async ({ home, page }) => {
      await page.getByRole('row', { name: /broken.*Failed.*nowhere/ }).waitFor();
      await open(page, 'Servers');
      const { command, args } = testServer();
      const program = await home.write('mortal.mjs', `process.argv.splice(1, 1); await import(process.argv[1]);`);
      const mortal = { ...trusted(testServer()), command, args: [program, ...args], env: { LC_MORTAL: mark } };
      await home.write('hub.json', { ...CONFIG, servers: { ...CONFIG.servers, mortal } });
      const row = page.getByRole('row', { name: /mortal/ });
      await row.getByText('Ready').waitFor();
      await rm(program);
      for (const { pid } of processesMarked(`LC_MORTAL=${mark}`)) process.kill(pid, 'SIGKILL');
      await row.getByText('Failed').waitFor();
      await row.getByRole('link').click();
      expect(await page.getByRole('alert').innerText()).toMatch(/Server 'mortal' (exited|was ended)/);
    });
  });

  test('counts the agents that come and go while it is watched', async context => {
    await visit(context, CONFIG, async ({ hub, page }) => {
      const attached = page.locator('dl > div', { hasText: 'Agents attached' }).locator('dd');
      await attached.getByText('0', { exact: true }).waitFor();
      const nobody = page.getByText('No agent is attached right now.');
      await nobody.waitFor();
      const { session } = await RawClient.open(hub, '/mcp/codex');
      await attached.getByText('1', { exact: true }).waitFor();
      await nobody.waitFor({ state: 'detached' });
      await hub.fetch('/mcp/codex', { method: 'DELETE', headers: { 'mcp-session-id': session } });
      await attached.getByText('0', { exact: true }).waitFor();
    });
  });

  test('adds a server to the config file, switches it off, takes it out and puts it back', async context => {
    await visit(context, CONFIG, async ({ home, page }) => {
      await open(page, 'Servers');
      await page.getByRole('button', { name: 'Add a server' }).click();
      await page.getByLabel('Id').fill('more');
      const { command, args } = testServer();
      await page.getByLabel('Command').fill([command, ...args].map(word => `"${word}"`).join(' '));
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'more' }).waitFor();
      expect(JSON.parse(await readFile(join(home.path, 'hub.json'), 'utf8')).servers.more).toMatchObject({
        transport: 'stdio',
        command,
        args,
      });
      await open(page, 'Servers');
      await page.getByRole('switch', { name: 'Server more' }).click();
      const isOn = async () => JSON.parse(await readFile(join(home.path, 'hub.json'), 'utf8')).servers.more.enabled;
      await expect.poll(isOn).toBe(false);
      await page.getByRole('row', { name: /more/ }).getByText('Off').first().waitFor();
      const before = await readFile(join(home.path, 'hub.json'), 'utf8');
      await page.getByRole('link', { name: 'more', exact: true }).click();
      await page.getByRole('button', { name: 'Remove this server' }).click();
      await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor();
      await page.getByRole('button', { name: 'Put more back' }).waitFor();
      expect(JSON.parse(await readFile(join(home.path, 'hub.json'), 'utf8')).servers.more).toBeUndefined();
      await page.reload();
      await page.getByRole('button', { name: 'Put more back' }).click();
      await page.getByRole('link', { name: 'more', exact: true }).waitFor();
      expect(await readFile(join(home.path, 'hub.json'), 'utf8')).toBe(before);
    });
  });

  test('is gone through without a pointer', async context => {
    await visit(context, CONFIG, async ({ page }) => {
      const choose = async (words: string, offered = /./): Promise<void> => {
        await page.keyboard.press('Control+k');
        await page.getByRole('textbox', { name: 'Go to' }).waitFor();
        await page.keyboard.type(words);
        await page.getByRole('dialog').getByRole('button', { name: offered }).first().waitFor();
        await page.keyboard.press('Enter');
        // The next Ctrl-K would close a dialog that is still open.
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      };
      await choose('demo', /^Server demo$/);
      await page.getByRole('heading', { level: 1, name: 'demo' }).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('t');
      await page.getByRole('heading', { level: 1, name: 'Tools' }).waitFor();
      for (const [words, heading] of [
        ['agent codex', 'codex'],
        ['echo of demo', 'echo'],
        ['make a token', 'Settings'],
        ['config files', 'Settings'],
      ] as const) {
        await choose(words);
        await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      }
      await choose('dark theme');
      await page.getByRole('button', { name: 'Light theme' }).waitFor();
    });
  });
});

async function scriptOf(hub: RunningHub): Promise<string> {
  const page = await (await hub.fetch('/')).text();
  return /src="\.([^"]+)"/.exec(page)?.[1] ?? '';
}
