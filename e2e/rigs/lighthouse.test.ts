import { makeHome, startHub } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { findChromium } from '../../scripts/system-parts.mjs';
import { NO_CHROMIUM, newAddress } from '../web/browser.ts';
import { furnished, PLACES } from '../web/furnished.ts';
import { cookieFrom, openLighthouse } from '../web/lighthouse.ts';

const GOAL = 95;

describe('Lighthouse', () => {
  test(`gives every page at least ${GOAL} for accessibility and for best practices`, { timeout: 600_000 }, async ({
    skip,
  }) => {
    const chromium = findChromium();
    if (!chromium) return skip(NO_CHROMIUM);
    await using work = await furnished();
    await using home = await makeHome();
    await using hub = await startHub(home, work.config);
    await work.furnish(hub);
    const cookie = await cookieFrom(await newAddress(hub));
    await using judge = await openLighthouse(chromium);
    const poor: object[] = [];
    for (const place of Object.keys(PLACES)) {
      const found = await judge.judge(`${hub.url}/#/${place}`, cookie, ['accessibility', 'best-practices']);
      const { accessibility = 0, 'best-practices': practices = 0 } = found.scores;
      if (accessibility < GOAL || practices < GOAL) poor.push({ place, ...found });
    }
    await work.settle(hub);
    expect(poor).toEqual([]);
  });
});
