import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { rest } from '../hub/rest-client.ts';
import { open, visit } from './browser.ts';

const CONFIG = {
  version: 1,
  servers: { demo: { ...trusted(testServer()), env: { KEY: '${secret:my-key}' } } },
  results: { max_output_tokens: 1000 },
};

describe('the settings page', () => {
  test('shows the hub and its files, makes and revokes tokens, keeps secrets', async context => {
    await visit(context, CONFIG, async ({ home, hub, page }) => {
      page.on('dialog', dialog => void dialog.accept());
      const part = async (title: string) => {
        await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: title }).click();
        await page.getByRole('link', { name: title, exact: true }).and(page.locator('[aria-current]')).waitFor();
      };
      await open(page, 'Settings');
      await page.getByText(join(home.data, 'hub.db')).waitFor();
      await page.getByText('None: every server that runs').waitFor();
      await part('Config files');
      const file = page.getByRole('article', { name: join(home.path, 'hub.json') });
      await file.getByText('Changes you make on this page are written here.').waitFor();

      await part('Tokens');
      await page.getByText('No token was made yet.').waitFor();
      await page.getByLabel('For').selectOption('codex');
      await page.getByLabel('Name, to know it by').fill('laptop');
      await page.getByRole('button', { name: 'Make a token' }).click();
      const token = await page.getByRole('alert').getByRole('code').innerText();
      expect((await hub.fetch('/api/status', { token })).status).toBe(403);
      await page.getByRole('row', { name: /laptop.*the doors of codex/ }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'Revoke laptop' }).waitFor();
      expect(await page.locator('body').innerText()).not.toContain(token);
      await page.getByRole('button', { name: 'Revoke laptop' }).click();
      await page.getByText('No token was made yet.').waitFor();
      await expect.poll(async () => (await hub.fetch('/mcp/codex', { token })).status).toBe(401);

      await part('Secrets');
      await page.getByLabel('Name').fill('my-key');
      await page.getByLabel('Value').fill('hush-0123456789');
      await page.getByRole('button', { name: 'Set', exact: true }).click();
      await page.getByRole('row', { name: /my-key.*a key file.*demo/ }).waitFor();
      await expect.poll(() => page.content()).not.toContain('hush-0123456789');
      await page.getByRole('button', { name: 'Delete my-key' }).click();
      await page.getByText('No secret is stored.').waitFor();
    });
  });

  test('changes limits with a way back, says what is wrong, and never writes over what another one changed', async context => {
    await visit(context, CONFIG, async ({ home, hub, page }) => {
      const written = async () => JSON.parse(await readFile(join(home.path, 'hub.json'), 'utf8')).results;
      await page.goto(`${hub.url}/#/settings/limits`);
      const tokens = page.getByRole('textbox', { name: /^max_output_tokens/ });
      await tokens.waitFor();
      const late = page.locator('label').filter({ hasText: 'counts once the hub is started again' }).locator('code');
      expect(await late.allTextContents()).toEqual(['ttl_ms', 'drop_on_list_changed', 'keep_alive_ms', 'connect']);
      await tokens.fill('-5');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText(/✕ This must be more than 0/).waitFor();
      await tokens.fill('2000');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('button', { name: 'Undo what was saved' }).waitFor();
      expect(await written()).toEqual({ max_output_tokens: 2000 });
      await page.getByRole('button', { name: 'Undo what was saved' }).click();
      await expect.poll(written).toEqual({ max_output_tokens: 1000 });
      await expect.poll(() => tokens.inputValue()).toBe('1000');

      await tokens.fill('3000');
      const other = { results: { max_output_tokens: 4000 } };
      expect((await rest(hub, '/api/config/settings', { method: 'PATCH', body: other })).status).toBe(200);
      await page.getByText('results.max_output_tokens is 4000').waitFor();
      expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Keep mine' }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect.poll(written).toEqual({ max_output_tokens: 3000 });
      // An editor counts as well as this page, also when the page has read again what it saved itself.
      await new Promise(resolve => setTimeout(resolve, 1500));
      await writeFile(join(home.path, 'hub.json'), JSON.stringify({ ...CONFIG, results: { max_output_tokens: 7 } }));
      await expect.poll(() => tokens.inputValue()).toBe('7');
    });
  });
});
