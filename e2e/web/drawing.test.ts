import { expect, test } from 'vitest';
import { theBrowser } from './browser.ts';
import { drawingProcess, isDrawn, keepDrawn } from './drawing.ts';

const FRAME_MS = 600;

test('a browser that hangs while it draws is seen to, so that a click comes through', async context => {
  const browser = await theBrowser(context);
  await using tab = await browser.newContext();
  const page = await tab.newPage();
  await page.setContent('<button onclick="this.textContent = `pressed`">press</button>');
  const hanging = await drawingProcess(browser);
  process.kill(hanging, 'SIGSTOP');
  // Frames that it was given before still count as drawn: a click could come through with them alone.
  await expect.poll(() => isDrawn(page, FRAME_MS)).toBe(false);
  const looked = keepDrawn(tab, { restMs: 50, frameMs: FRAME_MS });
  await page.getByRole('button', { name: 'press' }).click();
  await page.getByRole('button', { name: 'pressed' }).waitFor();
  expect(await drawingProcess(browser)).not.toBe(hanging);
  await tab.close();
  await looked;
});
