/** A real browser, on the page of a real hub. */
import AxeBuilder from '@axe-core/playwright';
import { type Home, makeHome, type RunningHub, startHub } from '@junctor/testkit';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect, type TestContext } from 'vitest';
import { findChromium } from '../../scripts/system-parts.mjs';
import { settled } from '../hub/settled.ts';
import { CHROMIUM_FLAGS } from './chromium.ts';
import { keepDrawn } from './drawing.ts';

export const NO_CHROMIUM = 'there is no Chromium here; to run it: apt-get install -y chromium';

/** The browser notes every answer of this kind; the page tells the person in its own words. */
const REFUSED = /status of (400|409|412|502)/;

/** For what never comes alone: a browser on a busy machine takes its time. */
const PATIENCE_MS = 45_000;

export interface Visit {
  readonly home: Home;
  readonly hub: RunningHub;
  readonly page: Page;
  readonly context: BrowserContext;
}

/** The browser of a test file: it takes a second to start, and each visit has a context of its own in it. */
let started: Promise<Browser> | undefined;

/** After each file: see end-browser.ts. */
export async function endBrowser(): Promise<void> {
  const browser = await started;
  started = undefined;
  await browser?.close();
}

export function theBrowser({ skip }: Pick<TestContext, 'skip'>): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) skip(NO_CHROMIUM);
  started ??= chromium.launch({ executablePath: executablePath as string, args: CHROMIUM_FLAGS, timeout: 120_000 });
  return started;
}

/** Opens the page, logged in, and checks at the end that nothing was refused by its policy and nothing was thrown. */
export async function visit(
  test: Pick<TestContext, 'skip'>,
  config: object,
  use: (visit: Visit) => Promise<void>,
): Promise<void> {
  const browser = await theBrowser(test);
  await using home = await makeHome();
  await using hub = await startHub(home, config);
  await settled(hub);
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  void keepDrawn(context);
  try {
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', error => complaints.push(String(error)));
    page.on('console', message => {
      if (message.type() === 'error' && !REFUSED.test(message.text())) complaints.push(message.text());
    });
    await page.goto(await newAddress(hub));
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await use({ home, hub, page, context }).catch(async error => {
      throw await withSight(error as Error, page, complaints);
    });
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
  }
}

/** What went wrong, with what the browser said and the page showed at that moment: it may not happen again soon. */
async function withSight(error: Error, page: Page, complaints: readonly string[]): Promise<Error> {
  const shown = await page.evaluate('location.hash + "\\n" + document.body.innerText').catch(String);
  error.message += `\nThe browser said: ${complaints.join('\n') || 'nothing'}\nThe page showed: ${String(shown).slice(0, 3000)}`;
  return error;
}

export async function newAddress(hub: RunningHub): Promise<string> {
  const answer = await hub.fetch('/api/login', { method: 'POST' });
  return ((await answer.json()) as { url: string }).url;
}

export async function open(page: Page, title: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: title }).click();
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
}

/** What axe finds wrong, as sentences. Legacy: without a further page, as there are no frames to look into. */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  // It is half a megabyte, which a page that was looked at before has already.
  const known = (await page.evaluate('"axe" in window')) ? { axeSource: 'void axe' } : {};
  const axe = new AxeBuilder({ page, ...known }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations: found } = await (rules ? axe.withRules(rules) : axe).analyze();
  return found.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(node => node.html).join(' | ')})`);
}
