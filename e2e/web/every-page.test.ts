/** What holds for every page alike, gone through once: for people who do not see it, have no pointer, or a small screen. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { violations, visit } from './browser.ts';
import { furnished, PLACES, VIEWS } from './furnished.ts';

const WIDTHS = [360, 768, 1920];

describe('every page', () => {
  const title = 'has no violation that axe knows of in either theme, fits every screen, and needs no pointer';
  test(title, { timeout: 400_000 }, async context => {
    await using work = await furnished();
    await visit(context, work.config, async ({ hub, page }) => {
      await work.furnish(hub);
      const listed = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').all();
      const ids = await Promise.all(listed.map(async link => (await link.getAttribute('href'))?.slice(2)));
      const known = new Set(Object.keys(PLACES).map(place => place.split('/', 1)[0]));
      expect(new Set(ids), 'every page of the navigation is gone through here').toEqual(known);
      const found: string[] = [];
      for (const [place, heading] of Object.entries({ ...PLACES, ...VIEWS })) {
        await goTo(page, place, heading);
        const wrong = [...(await seenByAxe(page)), ...(await tooWide(page)), ...(await withoutPointer(page))];
        found.push(...wrong.map(sentence => `${place}: ${sentence}`));
      }
      await work.settle(hub);
      expect(found).toEqual([]);
    });
  });
});

async function goTo(page: Page, place: string, heading: string): Promise<void> {
  const [address, button] = place.split('?', 2);
  await page.evaluate(`location.hash = '#/${address}'`);
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  const main = page.locator('main');
  // By its key: nothing here needs a pointer.
  if (button) await main.getByRole('button', { name: button, exact: true }).press('Enter');
  await main.filter({ hasText: /(Loading|Reading|Checking) .*…/ }).waitFor({ state: 'hidden' });
}

async function seenByAxe(page: Page): Promise<string[]> {
  const light = await violations(page);
  await page.evaluate(`document.documentElement.dataset.theme = 'dark'`);
  // Nothing but colours differs.
  const dark = await violations(page, ['color-contrast']);
  await page.evaluate(`document.documentElement.dataset.theme = 'light'`);
  return [...light, ...dark.map(sentence => `dark: ${sentence}`)];
}

async function tooWide(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const more = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
    if (more > 0) found.push(`${more} pixels wider than a screen of ${width}`);
  }
  return found;
}

/** Put into the page: what can be used waits for the focus; what has it must look so. */
const WATCH = `
  window.waits = new Set();
  window.dull = new Set();
  const usable = 'a[href], button, input, select, textarea, summary, [tabindex="0"], [contenteditable=true]';
  // An editor has a tree of its own.
  const trees = [document, ...[...document.querySelectorAll('main div')].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
  for (const element of trees.flatMap(tree => [...tree.querySelectorAll(usable)]))
    if (!element.disabled && element.tabIndex >= 0 && element.checkVisibility()) window.waits.add(element);
  document.activeElement?.blur();
  window.seeFocus ??= event => {
    const [target] = event.composedPath();
    window.waits.delete(target);
    const { outlineStyle, outlineWidth } = getComputedStyle(target.closest('.cm-editor') ?? target);
    if (outlineStyle === 'none' || outlineWidth === '0px') window.dull.add(target);
  };
  window.addEventListener('focusin', window.seeFocus);
  window.waits.size;
`;

const described = (elements: string): string => `${elements}.map(element => element.outerHTML.slice(0, 160))`;
/** What went away meanwhile, or cannot be used now, needs no key any more. */
const WAITS = described(
  '[...window.waits].filter(element => element.isConnected && !element.disabled && element.checkVisibility())',
);

/** A few presses more than there are things: where Tab has gone round without one of them, it never comes to it. */
async function withoutPointer(page: Page): Promise<string[]> {
  const count = (await page.evaluate(WATCH)) as number;
  const press = async (times: number): Promise<string[]> => {
    for (let presses = 0; presses < times; presses += 1) await page.keyboard.press('Tab');
    return (await page.evaluate(WAITS)) as string[];
  };
  let waits = await press(count + 5);
  // Where something came meanwhile, the way round is longer than it was.
  if (waits.length > 0) waits = await press(2 * count + 20);
  const dull = (await page.evaluate(described('[...window.dull]'))) as string[];
  return [...waits.map(one => `Tab does not come to ${one}`), ...dull.map(one => `no sign of focus on ${one}`)];
}
