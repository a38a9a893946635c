/**
 * Sees to it that pages go on being drawn. A process of Chromium draws them all; where it hangs, a page lives on without a
 * frame, and a click waits for two of them. Chromium without a screen lets it hang for good: here that process is ended,
 * whereupon Chromium starts another and draws every page anew.
 */
import { setTimeout as rest } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';

interface Patience {
  /** Between two looks. Too long, and a click has given up before. */
  readonly restMs: number;
  /** A page without a frame for so long is not drawn. Too short, and a busy machine looks like one that hangs. */
  readonly frameMs: number;
}

const USUAL: Patience = { restMs: 3000, frameMs: 6000 };

/** How much longer a process that was just started may take for its first frame. */
const GRACE = 10;

/** Looks after the pages of a context until it is closed. */
export async function keepDrawn(context: BrowserContext, { restMs, frameMs }: Patience = USUAL): Promise<void> {
  const closed = new AbortController();
  context.once('close', () => closed.abort());
  while (!closed.signal.aborted) {
    await rest(restMs, undefined, { signal: closed.signal }).catch(() => {});
    for (const page of context.pages()) {
      if (await isDrawn(page, frameMs)) continue;
      const done = await drawAnew(context.browser() as Browser).catch(String);
      console.error(`A page had no frame for ${frameMs} ms: ${done}`);
      await isDrawn(page, GRACE * frameMs);
    }
  }
}

/** In steps: where the whole machine stood still, the page has had one of them, and not all. */
export async function isDrawn(page: Page, frameMs: number): Promise<boolean> {
  const steps = 12;
  const asked = page.evaluate(`new Promise(tell => {
    let left = ${steps};
    const step = setInterval(() => --left || end(false), ${frameMs / steps});
    const end = isDrawn => (clearInterval(step), tell(isDrawn));
    requestAnimationFrame(() => end(true));
  })`);
  // One that is left for another or closed meanwhile cannot tell.
  return (await asked.catch(() => true)) as boolean;
}

async function drawAnew(browser: Browser): Promise<string> {
  const pid = await drawingProcess(browser);
  process.kill(pid, 'SIGKILL');
  return `process ${pid} of Chromium, which draws, was ended, so that it starts another`;
}

export async function drawingProcess(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const found = processInfo.find(({ type }) => type === 'GPU');
  if (!found) throw new Error('Chromium has no process that draws');
  return found.id;
}
