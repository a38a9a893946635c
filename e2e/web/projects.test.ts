import { makeHome, promise, startHubIn, testServer, trusted } from '@junctor/testkit';
import { expect } from 'vitest';
import { makeProject, registeredIn } from '../hub/in-project.ts';
import { newAddress, theBrowser, violations } from './browser.ts';

const DEMO = trusted(testServer());

promise('5.10q', 'the page shows the servers, tools and agents of the project that is chosen there', async context => {
  const browser = await theBrowser(context);
  await using home = await makeHome();
  const one = await makeProject(home, 'one', { alpha: DEMO });
  const two = await makeProject(home, 'two', { beta: DEMO });
  await using hub = await startHubIn(home, one);
  const id = await registeredIn(hub, two);
  const opened = await browser.newContext();
  opened.setDefaultTimeout(45_000);
  try {
    const page = await opened.newPage();
    await page.goto(await newAddress(hub));
    await page.getByRole('link', { name: 'Servers', exact: true }).click();
    await page.getByRole('link', { name: 'alpha' }).first().waitFor();
    expect(await page.getByLabel('Project').locator('option').allTextContents()).toEqual([one, two]);
    await page.getByLabel('Project').selectOption(two);
    await page.getByRole('link', { name: 'beta' }).first().waitFor();
    expect(new URL(page.url()).searchParams.get('project')).toBe(id);
    expect(await page.getByRole('link', { name: 'alpha' }).count()).toBe(0);
    // The file of the project counts above the one that the page writes.
    expect(await page.getByRole('switch', { name: 'Server beta' }).isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Tools', exact: true }).click();
    const list = page.getByRole('region', { name: 'Tools' });
    await list.getByRole('rowheader', { name: 'beta' }).waitFor();
    expect(await list.getByRole('rowheader', { name: 'alpha' }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Project').selectOption(one);
    await list.getByRole('rowheader', { name: 'alpha' }).waitFor();
  } finally {
    await opened.close();
  }
});
