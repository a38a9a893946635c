/** `npm run screenshots [FOLDER]`: takes every picture of the page anew. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { findChromium } from '../../../scripts/system-parts.mjs';
import { rest } from '../../hub/rest-client.ts';
import { CHROMIUM_FLAGS } from '../chromium.ts';
import { MOST_BYTES, PICTURES, type Picture } from './pictures.ts';
import { openWorkedHub, type WorkedHub } from './worked-hub.ts';

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '..', '..', '..', 'docs', 'images'));
const executablePath = findChromium();
if (!executablePath) throw new Error('there is no Chromium here; to get it: apt-get install -y chromium');
await mkdir(folder, { recursive: true });
await using worked = await openWorkedHub();
const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 760 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto((await rest(worked.hub, '/api/login', { method: 'POST' })).body.url);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  for (const picture of PICTURES) await take(page, picture, worked);
} finally {
  await browser.close();
}

async function take(page: Page, { name, place, heading, theme = 'light', shows, draws }: Picture, hub: WorkedHub) {
  await page.evaluate(`location.hash = '#/${place}'; document.documentElement.dataset.theme = '${theme}'`);
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  await page.locator('main').getByText(shows).first().waitFor();
  await page.locator('main', { hasText: 'Loading …' }).waitFor({ state: 'hidden' });
  if (draws) await page.locator(draws).first().waitFor();
  await page.evaluate(asAtHome(hub));
  await page.evaluate('document.fonts.ready');
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  if (picture.length > MOST_BYTES) throw new Error(`${name}.png has ${picture.length} bytes, at most ${MOST_BYTES}`);
  await writeFile(join(folder, `${name}.png`), picture);
  console.log(`${name}.png ${Math.round(picture.length / 1000)} KB`);
}

/** The folders of this run mean nothing to a reader: they are shown as those of a person. */
function asAtHome({ home, hub }: WorkedHub): string {
  const words = JSON.stringify([
    [home.project, '/home/ada/project'],
    [home.path, '/home/ada'],
    [hub.url, 'http://127.0.0.1:7717'],
  ]);
  return `(() => {
    const atHome = text => ${words}.reduce((shown, [here, there]) => shown.replaceAll(here, there), text);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data } = texts.currentNode;
      if (atHome(data) !== data) texts.currentNode.data = atHome(data);
    }
    for (const field of document.querySelectorAll('input, textarea')) field.value = atHome(field.value);
  })()`;
}
