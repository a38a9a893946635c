import { CODE, RpcError, serveHttp } from '@junctor/testkit/test-server';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { waiting } from '../hub/asking.ts';
import { rest } from '../hub/rest-client.ts';
import { RawClient } from '../hub/rpc.ts';
import { open, visit } from './browser.ts';

/** Markup that would run, writing that would turn around, colours of a terminal, characters that nobody sees. */
const PLANTED =
  '<img src=x onerror="window.planted=1"><script>window.planted=1</script>\u202Egnp.exe\u001b[31mred\u001b[0m\u200b\u{e0041}';
const SEEN = '<img src=x onerror="window.planted=1"><script>window.planted=1</script>gnp.exered';
const HUGE = PLANTED + 'long '.repeat(200_000);

const tool = (name: string, run: () => object) => ({
  definition: {
    name,
    title: PLANTED,
    description: HUGE,
    inputSchema: { type: 'object', properties: { [PLANTED]: { type: 'string', description: PLANTED } } },
  },
  run,
});
const text = (value: string): object => ({ content: [{ type: 'text', text: value }] });

const OFFER = {
  info: { name: PLANTED, version: PLANTED },
  instructions: PLANTED,
  tools: [
    tool('answers', () => ({
      content: [
        { type: 'text', text: HUGE },
        { type: 'image', mimeType: 'image/svg+xml', data: Buffer.from('<svg onload="planted=1"/>').toString('base64') },
        { type: PLANTED, value: PLANTED },
      ],
    })),
    tool('fails', () => ({ ...text(PLANTED), isError: true })),
    tool('breaks', () => {
      throw new RpcError(CODE.internalError, PLANTED);
    }),
    tool('<img src=x onerror="window.planted=1">', () => text(PLANTED)),
  ],
  prompts: [],
  resources: [],
};

const LAST_WORDS = `process.stderr.write(${JSON.stringify(PLANTED)}); process.exit(1)`;
const DYING = { transport: 'stdio', command: process.execPath, args: ['-e', LAST_WORDS], trust: 'trusted' };

async function expectHarmless(page: Page, where: string): Promise<void> {
  expect(await page.evaluate('window.planted'), where).toBeUndefined();
  expect(await page.locator('#root img, #root script, #root svg').count(), where).toBe(0);
  const shown = (await page.evaluate('document.body.innerText')) as string;
  expect(shown, where).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u001b\u200b\u{e0041}]/u);
  expect(shown.length, `${where} is not flooded`).toBeLessThan(100_000);
  const width = (await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')) as number;
  expect(width, `${where} is not wider than the screen`).toBeLessThanOrEqual(0);
}

describe('hostile words', () => {
  test('[10.1q] of servers, tools, answers, errors and clients are shown as words', {
    timeout: 300_000,
  }, async context => {
    const server = await serveHttp(0, { offer: OFFER });
    onTestFinished(() => server.close());
    const servers = { evil: { transport: 'http', url: server.url, trust: 'trusted' }, dying: DYING };
    const config = { version: 1, servers, permissions: { ask: ['mcp__evil__fails'] } };
    await visit(context, config, async ({ hub, page }) => {
      const clientInfo = { name: PLANTED, version: PLANTED };
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
      const greeted = await hub.fetch('/mcp/codex', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
      });
      expect(await greeted.text()).toContain('protocolVersion');
      const client = await RawClient.open(hub, '/mcp/codex');
      await client.call(1, 'evil_answers', { [PLANTED]: PLANTED });
      await client.call(2, 'evil_breaks', {});
      const asked = client.call(3, 'evil_fails', { [PLANTED]: PLANTED });
      await waiting(hub);
      for (const title of [
        'Overview',
        'Servers',
        'Tools',
        'Agents',
        'Executors',
        'Settings',
        'Approvals',
        'Activity',
      ]) {
        await open(page, title);
        await expectHarmless(page, title);
      }
      await page.getByRole('cell', { name: SEEN }).first().waitFor();
      await page.getByRole('region', { name: 'Calls' }).getByRole('button').last().click();
      await page
        .getByRole('dialog', { name: 'A call' })
        .getByText(/img src=x/)
        .first()
        .waitFor();
      await expectHarmless(page, 'a call');
      await page.keyboard.press('Escape');
      await open(page, 'Agents');
      await page.getByRole('link', { name: 'codex', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'codex', exact: true }).waitFor();
      await page.getByText(SEEN).first().waitFor();
      await open(page, 'Approvals');
      await page.getByRole('button', { name: 'Allow once' }).click();
      await asked;
      for (const id of ['evil', 'dying']) {
        await open(page, 'Servers');
        await page.getByRole('link', { name: id, exact: true }).click();
        await page.getByRole('heading', { level: 1, name: id }).waitFor();
        await expectHarmless(page, id);
      }
      for (const name of ['answers', 'fails', 'breaks']) {
        await open(page, 'Tools');
        await page
          .getByText(/ long…$/)
          .first()
          .waitFor();
        await page.getByRole('link', { name, exact: true }).click();
        await page.getByText(SEEN).first().waitFor();
        await page.getByRole('button', { name: 'Run' }).click();
        const answer = page.getByRole('region', { name: 'Result' }).or(page.locator('main').getByRole('alert'));
        await answer.getByText(SEEN).first().waitFor();
        await expectHarmless(page, name);
      }
    });
  });

  test('in a check, in traffic, in what is pasted or found, and in settings, too', {
    timeout: 300_000,
  }, async context => {
    const server = await serveHttp(0, { offer: OFFER });
    onTestFinished(() => server.close());
    const servers = {
      evil: { transport: 'http', url: server.url, trust: 'trusted' },
      dying: DYING,
      [PLANTED]: { transport: 'stdio', command: 'x' },
      misspelt: { transport: PLANTED, [PLANTED]: PLANTED },
    };
    await visit(context, { version: 1, servers, [PLANTED]: 1 }, async ({ home, hub, page }) => {
      const main = page.locator('main');
      const goTo = (place: string) => page.evaluate(`location.hash = '#/${place}'`);
      for (const id of ['evil', 'dying']) {
        await goTo(`servers/${id}/check`);
        await page.getByRole('button', { name: 'Check now' }).click();
        await page.getByRole('button', { name: 'Check again' }).and(page.locator(':enabled')).waitFor();
        await main
          .getByRole('listitem')
          .getByText(/img src=x/)
          .first()
          .waitFor();
        await expectHarmless(page, `check of ${id}`);
      }

      const client = await RawClient.open(hub, '/mcp/codex');
      const watching = page.waitForResponse(/\/traffic$/);
      await goTo('servers/evil/traffic');
      await watching;
      const messages = page.getByRole('list', { name: 'Messages, newest first' }).getByRole('listitem');
      await expect
        .poll(async () => {
          await client.call(1, 'evil_breaks', { [PLANTED]: PLANTED });
          return messages.count();
        })
        .toBeGreaterThan(1);
      await client.call(2, 'evil_answers', {});
      for (const summary of await messages.locator('summary').all()) await summary.click();
      // A message that comes meanwhile moves the others: one of them may be closed again.
      await messages
        .getByText(/img src=x/)
        .filter({ visible: true })
        .first()
        .waitFor();
      await expectHarmless(page, 'traffic');
      await goTo('servers/dying/traffic');
      await page.getByRole('button', { name: 'Reconnect' }).click();
      await page.getByRole('region', { name: 'Printed' }).getByText(SEEN).first().waitFor();
      await expectHarmless(page, 'what a program prints');

      const pasted = {
        command: PLANTED,
        args: [PLANTED],
        env: { [PLANTED]: PLANTED },
        description: HUGE.slice(0, 100_000),
      };
      const offered = {
        mcpServers: { [PLANTED]: pasted, named: pasted, far: { url: `http://127.0.0.1:9/${PLANTED}` } },
      };
      await goTo('servers/+add/paste');
      await page.getByLabel(/^JSON, TOML or YAML/).fill(JSON.stringify(offered));
      await main.getByRole('checkbox').first().waitFor();
      await expectHarmless(page, 'what is pasted');
      await home.write('.cursor/mcp.json', offered);
      await goTo('servers/+add/find');
      await main.getByRole('checkbox').first().waitFor();
      await expectHarmless(page, 'what is found');

      const names = { name: '<img src=x>\u202Egnp.exe\u001b[31mred', session: '<img src=x>\u202Egnp' };
      const made = await rest(hub, '/api/tokens', { method: 'POST', body: { agent: 'codex', ...names } });
      expect(made.status).toBe(201);
      for (const part of ['hub', 'files', 'tokens', 'limits', 'secrets']) {
        await goTo(`settings/${part}`);
        await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
        await main.getByText('Loading …').waitFor({ state: 'hidden' });
        if (part === 'files' || part === 'tokens')
          await main
            .getByText(/img src=x/)
            .first()
            .waitFor();
        await expectHarmless(page, `settings: ${part}`);
      }
      await open(page, 'Servers');
      await main
        .getByText(/is not valid/)
        .first()
        .waitFor();
      await expectHarmless(page, 'servers that are not valid');
    });
  });
});
