/** The overview of the hub's page as Lighthouse sees it: on a slow phone, and with nothing in its cache. */

import { cookieFrom, openLighthouse } from '../../e2e/web/lighthouse.ts';
import { findChromium } from '../../scripts/system-parts.mjs';
import { junctorHub } from '../contestants/gateways.ts';
import { gatewayDoor, type OpenDoor } from '../doors.ts';
import { median } from '../statistics.ts';
import { stdioUpstreams } from '../upstreams.ts';
import type { Workload } from './workload.ts';

/** One load says little: its score moves by some points from one to the next. */
const LOADS = 5;

export const pageLoad: Workload = {
  name: 'page-load',
  about: 'the overview of the page, by Lighthouse: performance, the median of 5 loads',
  async run(bench) {
    const chromium = findChromium();
    await bench.record({ workload: 'page-load', variant: 'overview', contestant: 'hub' }, 0, async () => {
      if (!chromium) throw new Error('there is no Chromium here; to measure it: apt-get install -y chromium');
      const [upstream] = stdioUpstreams(1);
      await using hub = await gatewayDoor(bench.stage, junctorHub, upstream, 3).open();
      const { origin, cookie } = await logIn(hub);
      await using judge = await openLighthouse(chromium);
      const scores: number[] = [];
      for (let load = 0; load < LOADS; load++) {
        const { scores: given } = await judge.judge(`${origin}/#/overview`, cookie, ['performance']);
        scores.push(given.performance ?? 0);
      }
      return { score: median(scores), least: Math.min(...scores) };
    });
  },
};

async function logIn({ target: { url, headers } }: OpenDoor): Promise<{ origin: string; cookie: string }> {
  const { origin } = new URL(url);
  const answer = await fetch(`${origin}/api/login`, { method: 'POST', headers });
  const { url: address } = (await answer.json()) as { url: string };
  return { origin, cookie: await cookieFrom(address) };
}
