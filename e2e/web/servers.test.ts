import { promise, testServer, trusted } from '@junctor/testkit';
import { startAuthority } from '@junctor/testkit/authority';
import { describe, expect, test } from 'vitest';
import { rest } from '../hub/rest-client.ts';
import { RawClient } from '../hub/rpc.ts';
import { violations, visit } from './browser.ts';

const demo = trusted(testServer());

describe('servers on the page', () => {
  promise('5.8g', 'are shown on the dashboard: how each is, its tools, and what its calls came to', async context => {
    const broken = { transport: 'stdio', command: '/nowhere/at-all', trust: 'trusted' };
    await visit(context, { version: 1, servers: { demo, broken } }, async ({ hub, page }) => {
      const row = (id: string) => page.getByRole('region', { name: 'Every server' }).getByRole('row', { name: id });
      await row('demo').getByText('Ready').waitFor();
      await row('broken').getByText('Failed').waitFor();
      expect(await row('broken').getByRole('cell').nth(2).innerText()).toBe('none');
      const listed = async (): Promise<{ tool: string }[]> => (await rest(hub, '/api/tools')).body.tools;
      await expect.poll(listed).not.toEqual([]);
      const tools = await listed();
      await row('demo').getByText(String(tools.length), { exact: true }).click();
      expect((await row('demo').getByRole('listitem').allInnerTexts()).sort()).toEqual(
        tools.map(({ tool }) => tool).sort(),
      );
      const client = await RawClient.open(hub, '/mcp/codex');
      await client.call(1, 'demo_echo', { text: 'hello' });
      await client.call(2, 'demo_fail', {});
      const [, , , calls, errors, slowest, bytes] = await row('demo').getByRole('cell').all();
      await calls?.getByText('2', { exact: true }).waitFor();
      expect(await errors?.innerText()).toBe('1');
      expect(await slowest?.innerText()).toMatch(/^\d+ ms$/);
      expect(await bytes?.innerText()).toMatch(/^[1-9]\d* B$/);
    });
  });

  promise('1.2y', 'show what the config says about them to people', async context => {
    const meta = { name: 'The demo', description: 'For trying things.', url: 'https://example.com/demo' };
    await visit(context, { version: 1, servers: { demo: { ...demo, meta } } }, async ({ page }) => {
      await page.getByRole('link', { name: 'Servers', exact: true }).first().click();
      await page.getByRole('link', { name: 'demo', exact: true }).first().click();
      await page.getByText('The demo: For trying things.').waitFor();
      expect(await page.getByRole('link', { name: 'Read more' }).getAttribute('href')).toBe(meta.url);
    });
  });

  promise('7.2l', 'say which sessions share one process', async context => {
    await visit(context, { version: 1, servers: { demo: { ...demo, mode: 'shared' } } }, async ({ hub, page }) => {
      for (const agent of ['codex', 'cursor']) {
        const client = await RawClient.open(hub, `/mcp/${agent}`);
        await client.call(1, 'demo_echo', { text: 'here' });
      }
      await page.goto(`${hub.url}/#/servers/demo`);
      await page.getByText(/^2 agents, 1 process, /).waitFor();
      await page.getByRole('row', { name: /^one for all .* raw at \/mcp\/codex, raw at \/mcp\/cursor$/ }).waitFor();
    });
  });

  promise('5.8i', 'are logged in to: the person goes to the provider and comes back', async context => {
    await using authority = await startAuthority();
    const guarded = { transport: 'http', url: authority.mcpUrl, trust: 'trusted' };
    await visit(context, { version: 1, servers: { guarded } }, async ({ hub, page, context: browser }) => {
      await page.getByRole('link', { name: 'Log in to guarded' }).click();
      await page.getByRole('heading', { level: 1, name: 'guarded' }).waitFor();
      await page.getByText('Needs a login').first().waitFor();
      await page.getByRole('button', { name: 'Log in to guarded' }).click();
      const link = page.getByRole('link', { name: `Go on at ${new URL(authority.issuer).host}` });
      await link.waitFor();
      expect(await violations(page)).toEqual([]);
      const [provider] = await Promise.all([browser.waitForEvent('page'), link.click()]);
      // Whoever reloads this page meanwhile loses nothing: the hub waits for the browser, not the page.
      await page.reload();
      await page.getByText('Needs a login').first().waitFor();
      await provider.locator('input[name=login]').fill('somebody');
      await provider.getByRole('button', { name: 'Go on' }).click();
      await provider.getByRole('button', { name: 'No' }).waitFor();
      await provider.getByRole('button', { name: 'Go on' }).click();
      await provider.getByText('You can close this page').waitFor();
      await page.getByText('Ready').first().waitFor();
      await page.getByRole('button', { name: 'Log in to guarded' }).waitFor({ state: 'detached' });
      const client = await RawClient.open(hub, '/mcp/codex');
      expect(JSON.stringify(await client.call(1, 'guarded_echo', { text: 'hello' }))).toContain('hello');
    });
  });

  test('tell when the provider says no, and can be tried again', async context => {
    await using authority = await startAuthority();
    const guarded = { transport: 'http', url: authority.mcpUrl, trust: 'trusted' };
    await visit(context, { version: 1, servers: { guarded } }, async ({ hub, page }) => {
      await page.getByRole('link', { name: 'guarded' }).first().click();
      const login = page.getByRole('button', { name: 'Log in to guarded' });
      await login.click();
      const address = await page.getByRole('link', { name: /^Go on at/ }).getAttribute('href');
      await authority.browser.visit(address ?? '', { consent: false });
      await page
        .getByRole('alert')
        .getByText(/refused|denied|said no/i)
        .first()
        .waitFor();
      await login.waitFor();
      expect((await rest(hub, '/api/servers/other/sign-in')).status).toBe(404);
    });
  });
});
