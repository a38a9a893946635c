/** The page in a real browser, with as much behind it as any hub has. */
import type { Browser } from 'playwright-core';
import { findChromium } from '../../scripts/system-parts.mjs';
import { type ManyHub, startManyHub } from '../page/many.ts';
import type { Values } from '../samples.ts';
import type { Workload } from './workload.ts';

const VARIANTS = [
  { variant: '1,000 servers', page: 'Servers', list: 'Servers' },
  { variant: '10,000 tools', page: 'Tools', list: 'Tools', field: 'Search tools' },
  { variant: '100,000 calls', page: 'Activity', list: 'Calls', field: 'With these words' },
] as const;

export const page: Workload = {
  name: 'page',
  about: 'the page in Chromium: keys and scrolling in 1,000 servers, 10,000 tools and 100,000 calls',
  async run(bench) {
    const executablePath = findChromium();
    const at = (variant: string) => ({ workload: 'page', variant, contestant: 'page' });
    if (!executablePath) {
      await bench.record(at('first load'), 0, async () => {
        throw new Error('there is no Chromium here; to measure it: apt-get install -y chromium');
      });
      return;
    }
    const { chromium } = await import('playwright-core');
    const hub = await startManyHub(bench.stage);
    for (let round = 0; round < bench.rounds; round++) {
      const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
      try {
        await bench.record(at('first load'), round, () => firstLoad(browser, hub));
        for (const one of VARIANTS) await bench.record(at(one.variant), round, () => opened(browser, hub, one));
      } finally {
        await browser.close();
      }
    }
  },
};

/** What travels until the overview stands there. */
async function firstLoad(browser: Browser, hub: ManyHub): Promise<Values> {
  const tab = await browser.newPage();
  await tab.goto(await hub.address());
  await tab.getByRole('region', { name: 'Every server' }).waitFor();
  const [bytes, ms] = (await tab.evaluate(`[
    performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    performance.now(),
  ]`)) as [number, number];
  await tab.close();
  return { scriptKB: bytes / 1000, ms };
}

async function opened(browser: Browser, hub: ManyHub, { page: title, ...what }: (typeof VARIANTS)[number]) {
  const { interact, watchInteractions } = await import('../page/interactions.ts');
  const tab = await browser.newPage();
  await watchInteractions(tab);
  await tab.goto(await hub.address());
  await tab.getByRole('navigation').getByRole('link', { name: title }).click();
  await tab.getByRole('region', { name: what.list, exact: true }).getByRole('row').nth(20).waitFor();
  const values = await interact(tab, what);
  await tab.close();
  return values;
}
