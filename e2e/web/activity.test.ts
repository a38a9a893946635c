import { readFile } from 'node:fs/promises';
import { testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { RawClient } from '../hub/rpc.ts';
import { open, violations, visit } from './browser.ts';

const CONFIG = { version: 1, servers: { demo: trusted(testServer()), other: trusted(testServer()) } };

describe('the activity', () => {
  test('is filtered, charted, told call by call, and saved; a reload shows the same', async context => {
    await visit(context, CONFIG, async ({ hub, page }) => {
      const client = await RawClient.open(hub, '/mcp/codex');
      await client.call(1, 'demo_echo', { text: 'first', api_key: 'tok-0123456789' });
      await client.call(2, 'other_echo', { text: '=second' });
      await client.call(3, 'demo_fail', {});
      await open(page, 'Activity');
      await page.getByText('3 calls, 1 failed (33 %).').waitFor();
      await page.getByRole('img', { name: /Charts of calls: 3 calls/ }).waitFor();
      await page.locator('canvas').first().waitFor();
      expect(await violations(page)).toEqual([]);

      await page.getByLabel('Server', { exact: true }).selectOption('demo');
      await page.getByLabel('Outcome').selectOption('Done');
      await page.getByText('1 calls, 0 failed').waitFor();
      await page.reload();
      const rows = page.getByRole('region', { name: 'Calls' }).getByRole('row');
      await page.getByText('1 read of 1').waitFor();
      expect(await rows.count()).toBe(2);
      await rows.nth(1).getByRole('button').press('Enter');
      const detail = page.getByRole('dialog', { name: 'A call' });
      await detail.getByText('codex, with the token of a person').waitFor();
      await expect.poll(() => detail.innerText()).toMatch(/"text": "first",\s+"api_key": "•••"/);
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');

      const saving = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Save as CSV' }).click();
      const saved = await saving;
      expect(saved.suggestedFilename()).toBe('junctor-calls.csv');
      expect((await readFile(await saved.path(), 'utf8')).trim().split('\r\n')).toHaveLength(2);

      await page.getByLabel('Server', { exact: true }).selectOption('Any server');
      await page.getByLabel('With these words').fill('SECOND');
      await page.getByRole('row', { name: /other.*echo/ }).waitFor();
      await page.getByText('1 read of 1').waitFor();
      await client.call(4, 'other_echo', { text: 'one more second' });
      await expect.poll(() => rows.count()).toBe(3);
    });
  });
});
