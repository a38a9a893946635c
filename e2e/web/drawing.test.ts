import { expect, test } from 'vitest';
import { theBrowser } from './browser.ts';
import { drawingProcess, keepDrawn } from './drawing.ts';

test('a browser that hangs while it draws is seen to, so that a click comes through', async context => {
  const browser = await theBrowser(context);
  await using tab = await browser.newContext();
  const page = await tab.newPage();
  await page.setContent('<button onclick="this.textContent = `pressed`">press</button>');
  const hanging = await drawingProcess(browser);
  process.kill(hanging, 'SIGSTOP');
  const looked = keepDrawn(tab, { restMs: 50, frameMs: 600 });
  await page.getByRole('button', { name: 'press' }).click();
  await page.getByRole('button', { name: 'pressed' }).waitFor();
  expect(await drawingProcess(browser)).not.toBe(hanging);
  await tab.close();
  await looked;
});
