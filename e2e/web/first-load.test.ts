import { testServer, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { visit } from './browser.ts';

/** As they are sent: compressed. */
const MOST_BYTES = 150 * 1024;

test('the overview comes with little script, and without the editor and the charts', async context => {
  await visit(context, { version: 1, servers: { demo: trusted(testServer()) } }, async ({ page }) => {
    await page.getByRole('row', { name: /^demo/ }).first().waitFor();
    const scripts = await page.evaluate<{ name: string; bytes: number }[]>(`
      performance.getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('.js'))
        .map(({ name, encodedBodySize }) => ({ name: name.split('/').at(-1), bytes: encodedBodySize }))
    `);
    const bytes = scripts.reduce((sum, one) => sum + one.bytes, 0);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(MOST_BYTES);
    expect(scripts.filter(({ name }) => /editor|charts|schema/.test(name))).toEqual([]);
  });
});
