import { testServer, trusted } from '@junctor/testkit';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { rest } from '../hub/rest-client.ts';
import { open, violations, visit } from './browser.ts';

const CONFIG = { version: 1, servers: { demo: trusted(testServer()) } };

async function openTool(page: Page, tool: string): Promise<void> {
  await open(page, 'Tools');
  await page.getByRole('searchbox').fill(tool);
  // The answer puts the rows in another order: before it a click may meet the row that was there.
  const rows = page.getByRole('region', { name: 'Tools' }).getByRole('link');
  await expect.poll(() => rows.first().innerText()).toBe(tool);
  await rows.first().click();
  await page.getByRole('heading', { level: 1, name: tool }).waitFor();
}

const run = (page: Page) => page.getByRole('button', { name: 'Run' }).click();
const result = (page: Page) => page.getByRole('region', { name: 'Result' });

describe('a tool on the page', () => {
  test('is called with a form from its schema; the call is in the audit', async context => {
    await visit(context, CONFIG, async ({ hub, page }) => {
      await openTool(page, 'echo');
      await page.getByLabel('text').fill('hello from the page');
      await run(page);
      await result(page).getByText('hello from the page').waitFor();
      expect(await violations(page)).toEqual([]);
      const [call] = (await rest(hub, '/api/calls')).body.calls;
      expect(call).toMatchObject({ bearer: 'person', agent: null, server: 'demo', tool: 'echo', outcome: 'done' });
      expect(call).toMatchObject({ failed: false, verdict: 'allow', arguments: '{"text":"hello from the page"}' });
    });
  });

  test('shows its progress, its pictures and its failures', async context => {
    await visit(context, CONFIG, async ({ page }) => {
      await openTool(page, 'image');
      await run(page);
      const picture = result(page).getByRole('img');
      await picture.waitFor();
      await expect.poll(() => page.evaluate("document.querySelector('section img').naturalWidth")).toBe(1);
      await openTool(page, 'fail');
      await run(page);
      await result(page).getByText('The tool says that it failed').waitFor();
      await openTool(page, 'slow');
      await page.getByLabel('ms').fill('20000');
      await run(page);
      await page
        .getByRole('status')
        .getByText(/step \d of \d/)
        .waitFor();
      await page.getByRole('button', { name: 'Give up' }).click();
      await page.getByRole('button', { name: 'Give up' }).waitFor({ state: 'detached' });
    });
  });

  test('that the rules deny is not run', async context => {
    await visit(context, { ...CONFIG, permissions: { deny: ['mcp__demo__echo'] } }, async ({ hub, page }) => {
      await openTool(page, 'echo');
      await page.getByLabel('text').fill('x');
      await run(page);
      await result(page).getByText('Denied: it was not run').waitFor();
      const [call] = (await rest(hub, '/api/calls')).body.calls;
      expect(call).toMatchObject({ tool: 'echo', verdict: 'deny', outcome: 'not_sent', code: 'permission_denied' });
    });
  });
});
