import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testServer, trusted } from '@junctor/testkit';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { rest } from '../hub/rest-client.ts';
import { violations, visit } from './browser.ts';

const demo = { ...trusted(testServer()), env: { LC_PLACE: 'here', DEMO_TOKEN: 'tok-0123456789' } };
const web = { transport: 'http', url: 'http://127.0.0.1:9/mcp', enabled: false };
const CONFIG = { version: 1, servers: { demo, web } };

async function openEditor(page: Page, id: string): Promise<void> {
  // A tab behind another is drawn once a second.
  await page.bringToFront();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Servers' }).click();
  await page.getByRole('link', { name: id, exact: true }).click();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('region', { name: `Edit ${id}` }).waitFor();
}

async function save(page: Page): Promise<void> {
  await page.bringToFront();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved, and in force').waitFor();
}

const json = (page: Page) => page.getByLabel(/^Definition of .* as JSON$/);

describe('a server on the page', () => {
  test('is edited as a form and as JSON; what the form does not show, and comments, stay', async context => {
    await visit(context, CONFIG, async ({ home, hub, page }) => {
      const file = join(home.path, 'hub.json');
      await writeFile(file, `// for everybody\n${await readFile(file, 'utf8')}`);
      const stored = async () => (await rest(hub, '/api/servers/demo')).body;
      await expect.poll(async () => (await stored()).line).toBeGreaterThan(2);
      await openEditor(page, 'demo');
      expect(await page.getByLabel('Environment').inputValue()).toBe('LC_PLACE=here\nDEMO_TOKEN=•••');
      expect(await violations(page)).toEqual([]);
      await page.getByLabel('Environment').fill('LC_PLACE=there\nDEMO_TOKEN=•••\nLC_HALF');
      await page.getByText("'LC_HALF' is left out").waitFor();
      await page.getByLabel('Environment').fill('LC_PLACE=there\nDEMO_TOKEN=•••\nOTHER_KEY=key-0123456789');
      await page.getByLabel('Mode').selectOption('shared');
      await page.getByRole('button', { name: 'JSON' }).click();
      const shown = JSON.parse(await json(page).innerText());
      expect(shown).toMatchObject({ mode: 'shared', env: { LC_PLACE: 'there', OTHER_KEY: 'key-0123456789' } });
      await json(page).fill(JSON.stringify({ ...shown, connect_timeout_ms: 'soon' }));
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('alert').getByText('connect_timeout_ms').first().waitFor();
      await json(page).fill(JSON.stringify({ ...shown, connect_timeout_ms: 50_000 }));
      await page.getByRole('button', { name: 'Form' }).click();
      await page.getByText('Which tools, how long, and more').click();
      expect(await page.getByLabel('Starting and greeting, ms').inputValue()).toBe('50000');
      await page.getByLabel('Never offer these tools').fill('fail');
      await save(page);
      await page.getByText(/stored as secrets: .*demo\.OTHER_KEY/).waitFor();
      const text = await readFile(file, 'utf8');
      expect(text).toMatch(/^\/\/ for everybody\n/);
      expect(text).not.toContain('key-0123456789');
      const { definition } = await stored();
      expect(definition).toMatchObject({ mode: 'shared', connect_timeout_ms: 50_000, tools: { deny: ['fail'] } });
      await expect
        .poll(async () => (await rest(hub, '/api/tools')).body.tools.map((one: { tool: string }) => one.tool))
        .not.toContain('fail');
    });
  });

  test('changed in two tabs is not overwritten: what is different is shown, and a choice is given', async context => {
    await visit(context, CONFIG, async ({ hub, page, context: browser }) => {
      const other = await browser.newPage();
      await other.goto(hub.url);
      for (const tab of [page, other]) await openEditor(tab, 'web');
      await page.getByLabel('URL').fill('http://127.0.0.1:10/mcp');
      await other.getByLabel('Headers').fill('X-Team: core');
      await save(other);
      const alert = page.getByRole('alert').filter({ hasText: 'Somebody else changed this server' });
      await alert.getByRole('row', { name: /headers not set .*core.* not set/ }).waitFor();
      await alert.getByRole('row', { name: /url .*:9.*:9.*:10/ }).waitFor();
      expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
      expect(await violations(page)).toEqual([]);
      await page.bringToFront();
      await page.getByRole('button', { name: 'Put my changes on top of theirs' }).click();
      await save(page);
      const both = { url: 'http://127.0.0.1:10/mcp', headers: { 'X-Team': 'core' } };
      expect((await rest(hub, '/api/servers/web')).body.definition).toMatchObject(both);
      await expect.poll(() => other.getByLabel('URL').inputValue()).toBe(both.url);
      // A reload in the middle of an edit loses nothing.
      await page.getByLabel('URL').fill('http://127.0.0.1:11/mcp');
      await page.reload();
      await page.getByText('this is what you wrote here before').waitFor();
      expect(await page.getByLabel('URL').inputValue()).toBe('http://127.0.0.1:11/mcp');
      await page.getByRole('button', { name: 'Undo my changes' }).click();
      expect(await page.getByLabel('URL').inputValue()).toBe(both.url);
    });
  });

  test('is put back after it was taken out, and connected again when asked', async context => {
    await visit(context, CONFIG, async ({ home, hub, page }) => {
      const outdated = { method: 'DELETE', headers: { 'if-match': '"other"' } };
      expect((await rest(hub, '/api/servers/web', outdated)).status).toBe(412);
      expect((await rest(hub, '/api/servers/web/restore', { method: 'POST' })).status).toBe(404);
      await rest(hub, '/api/servers/web', { method: 'DELETE' });
      // Somebody writes into the file meanwhile: their change stays.
      const more = { method: 'POST', body: { id: 'more', definition: web } };
      expect((await rest(hub, '/api/servers', more)).status).toBe(201);
      expect((await rest(hub, '/api/servers/web/restore', { method: 'POST' })).body.effective).toBe('explicit');
      expect(Object.keys(JSON.parse(await readFile(join(home.path, 'hub.json'), 'utf8')).servers).sort()).toEqual([
        'demo',
        'more',
        'web',
      ]);
      const connected = async () => {
        const { servers } = (await rest(hub, '/api/status')).body;
        return servers.find(({ id }: { id: string }) => id === 'demo').last_connected_at;
      };
      await expect.poll(connected).toBeDefined();
      const before = await connected();
      await page.goto(`${hub.url}/#/servers/demo`);
      await page.getByRole('button', { name: 'Reconnect' }).click();
      await expect.poll(connected).not.toBe(before);
      await page.getByText('Ready').first().waitFor();
      const off = await rest(hub, '/api/servers/web/reconnect', { method: 'POST' });
      expect([off.status, off.body.error.code]).toEqual([409, 'server_unusable']);
    });
  });
});
