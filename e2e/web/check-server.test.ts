import { randomUUID } from 'node:crypto';
import { everything, misbehaving, processesMarked, trusted } from '@junctor/testkit';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { rest } from '../hub/rest-client.ts';
import { violations, visit } from './browser.ts';

async function check(page: Page, hub: { url: string }, id: string): Promise<void> {
  await page.goto(`${hub.url}/#/servers/${id}/check`);
  await page.getByRole('button', { name: 'Check now' }).click();
}

/** The hub itself may have started one as well. */
function startedByCheck(mark: string): number {
  const checked = new Set(processesMarked('JUNCTOR_DOCTOR=').map(({ pid }) => pid));
  return processesMarked(mark).filter(({ pid }) => checked.has(pid)).length;
}

describe('a server is checked on the page', () => {
  test('step by step; what is broken says what to do, and nothing is left running', async context => {
    const mark = randomUUID();
    const servers = {
      everything: trusted(everything()),
      dying: trusted(misbehaving('dies-early')),
      silent: { ...trusted(misbehaving('never-answers')), env: { LC_SILENT: mark } },
    };
    const config = { version: 1, servers, startup: { connect: 'lazy' } };
    await visit(context, config, async ({ hub, page }) => {
      await check(page, hub, 'everything');
      const steps = page.getByRole('region', { name: 'Check of everything' }).getByRole('listitem');
      await steps.filter({ hasText: 'Ended again' }).waitFor();
      await page.getByRole('button', { name: 'Check again' }).and(page.locator(':enabled')).waitFor();
      const seen = await steps.allInnerTexts();
      for (const title of ['Definition', 'Program', 'Started', 'Greeted', 'Protocol', 'Tools'])
        expect(seen.join('\n')).toContain(title);
      expect(await violations(page)).toEqual([]);
      await check(page, hub, 'dying');
      await page.getByText('✕ Something is broken.').waitFor();
      await page.getByText(/^To do: set DATABASE_URL in env of server/).waitFor();
      expect((await rest(hub, '/api/servers/nobody/check', { method: 'POST' })).status).toBe(404);
      // A reload in the middle of it ends what it had started.
      await check(page, hub, 'silent');
      await expect.poll(() => startedByCheck(`LC_SILENT=${mark}`)).toBeGreaterThan(0);
      await page.reload();
      await page.getByRole('button', { name: 'Check now' }).waitFor();
      await expect.poll(() => startedByCheck(`LC_SILENT=${mark}`)).toBe(0);
    });
  });
});
