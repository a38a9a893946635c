/** The page of one agent, and its parts. */
import { testServer, trusted } from '@junctor/testkit';
import type { Page } from 'playwright-core';
import { open } from './browser.ts';

export const CONFIG = { version: 1, servers: { demo: trusted(testServer()) } };

export async function openAgent(page: Page, agent: string): Promise<void> {
  await open(page, 'Agents');
  await page.getByRole('link', { name: agent, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: agent, exact: true }).waitFor();
}

export const partOf = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });
