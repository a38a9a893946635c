import { describe, expect, test } from 'vitest';
import { open, violations, visit } from './browser.ts';

const COUNT = 3000;
const idle = { transport: 'stdio', command: 'never-started', enabled: false };
const id = (at: number): string => `server-${String(at).padStart(4, '0')}`;
const servers = Object.fromEntries(Array.from({ length: COUNT }, (_, at) => [id(at), idle]));

describe('a list of thousands', () => {
  test('draws what is seen, says how many there are, and is gone through by keys', async context => {
    await visit(context, { version: 1, servers }, async ({ page }) => {
      await open(page, 'Servers');
      const list = page.getByRole('region', { name: 'Servers' });
      const table = list.getByRole('table');
      await list.getByRole('link', { name: id(0) }).waitFor();
      expect(await table.getAttribute('aria-rowcount')).toBe(String(COUNT + 1));
      expect(await table.getByRole('row').count()).toBeLessThan(100);
      expect(await violations(page)).toEqual([]);

      await list.getByRole('link', { name: id(2) }).focus();
      await page.evaluate(`document.querySelector('section[aria-label=Servers]').scrollTo(0, 1e9)`);
      await list.getByRole('link', { name: id(COUNT - 1) }).waitFor();
      const last = page.getByRole('row', { name: id(COUNT - 1) });
      expect(await last.getAttribute('aria-rowindex')).toBe(String(COUNT + 1));
      expect(await page.evaluate('document.activeElement.textContent'), 'the focus stays').toBe(id(2));
      expect(await table.getByRole('row').count()).toBeLessThan(100);

      await list.focus();
      await page.keyboard.press('Home');
      await list.getByRole('link', { name: id(0) }).waitFor();
      await page.keyboard.press('End');
      await list.getByRole('link', { name: id(COUNT - 1) }).click();
      await page.getByRole('heading', { level: 1, name: id(COUNT - 1) }).waitFor();
    });
  });
});
