/** How long a person waits on the page, from a key or a turn of the wheel to the frame that shows what came of it. */
import type { Page } from 'playwright-core';
import type { Values } from '../samples.ts';

/** Begins to note what the browser itself measures of every key press and click, in steps of 8 ms. */
const WATCH = `window.waited = []; new PerformanceObserver(list => {
  for (const { duration, interactionId } of list.getEntries()) if (interactionId) window.waited.push(duration);
}).observe({ type: 'event', durationThreshold: 16, buffered: false });`;

const STEPS = 30;
const STEP_PX = 1500;

export async function watchInteractions(page: Page): Promise<void> {
  await page.addInitScript(WATCH);
}

/** Keys in the list and in the field beside it, and steps through the list: the slowest of each. */
export async function interact(page: Page, { list, field }: { list: string; field?: string }): Promise<Values> {
  await page.evaluate('window.waited.length = 0');
  const region = page.getByRole('region', { name: list, exact: true });
  await region.focus();
  const cpu = await mainThread(page);
  for (const key of KEYS) await cpu.during(() => page.keyboard.press(key));
  const scrollMs = (await page.evaluate(scrolling(list))) as number;
  if (field !== undefined) {
    await page.getByLabel(field).focus();
    for (const letter of 'file') await cpu.during(() => page.keyboard.press(letter));
    await page.getByLabel(field).fill('');
  }
  // Entries come with a frame of their own.
  const keys = (await page.evaluate(`new Promise(done => setTimeout(() => done(window.waited), 300))`)) as number[];
  const keyMs = Math.max(0, ...keys);
  return {
    cpuMs: cpu.worstMs(),
    keyMs,
    scrollMs,
    worstMs: Math.max(keyMs, scrollMs),
    rows: await region.getByRole('row').count(),
  };
}

const KEYS = ['End', 'Home', ...Array<string>(8).fill('PageDown'), 'Tab', 'Tab', 'Tab'];
/** What a key sets off is over by then. */
const SETTLE = 'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))';

/** What the page's own thread spends: other work on the machine hardly moves it. */
async function mainThread(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spentMs = async (): Promise<number> => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  let worst = 0;
  return {
    async during(work: () => Promise<void>): Promise<void> {
      const before = await spentMs();
      await work();
      await page.evaluate(SETTLE);
      worst = Math.max(worst, (await spentMs()) - before);
    },
    worstMs: () => worst,
  };
}

/** Until rows stand where one scrolled to, and the frame with them is out. */
function scrolling(list: string): string {
  return `(async () => {
    const region = document.querySelector('section[aria-label="${list}"]');
    const frame = () => new Promise(requestAnimationFrame);
    const isFilled = () => {
      const { top, height } = region.getBoundingClientRect();
      return [...region.querySelectorAll('tr[data-index]')].some(row => {
        const box = row.getBoundingClientRect();
        return box.top < top + height / 2 && box.bottom > top + height / 3;
      });
    };
    let worst = 0;
    for (let step = 0; step < ${STEPS}; step++) {
      const begun = performance.now();
      region.scrollTop += ${STEP_PX};
      do await frame(); while (!isFilled());
      await frame();
      worst = Math.max(worst, performance.now() - begun);
    }
    return worst;
  })()`;
}
