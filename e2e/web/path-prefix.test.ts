import { makeHome, startHub, testServer } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { startPathProxy } from '../hub/path-proxy.ts';
import { settled } from '../hub/settled.ts';
import { newAddress, open, theBrowser } from './browser.ts';
import { keepDrawn } from './drawing.ts';

test('the page works below a path of a proxy: it is read, kept up to date, and changes things', async test => {
  const browser = await theBrowser(test);
  await using home = await makeHome();
  await using proxy = await startPathProxy('/tools/junctor', { strips: true });
  await using hub = await startHub(home, { servers: { demo: testServer() } }, ['--public-url', proxy.url]);
  proxy.target = hub.url;
  await settled(hub);
  const context = await browser.newContext();
  context.setDefaultTimeout(45_000);
  void keepDrawn(context);
  try {
    const page = await context.newPage();
    const lost: string[] = [];
    page.on('response', answer => {
      if (answer.status() >= 400) lost.push(`${answer.status()} ${answer.url()}`);
    });
    await page.goto(await newAddress(hub));
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(page.url()).toBe(`${proxy.url}/`);
    await open(page, 'Agents');
    await page.getByRole('link', { name: 'codex' }).first().click();
    await page.getByText(`${proxy.url}/mcp/codex`).first().waitFor();
    await open(page, 'Servers');
    await page.getByRole('switch', { name: /demo/ }).first().click();
    await expect
      .poll(async () => ((await (await hub.fetch('/api/servers/demo')).json()) as { enabled: boolean }).enabled)
      .toBe(false);
    expect(lost).toEqual([]);
  } finally {
    await context.close();
  }
});
