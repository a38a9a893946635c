import { describe, expect, test } from 'vitest';
import { violations, visit } from './browser.ts';

/** What each place says while there is nothing yet, what to do then, and where the first of its links leads. */
const PLACES: readonly (readonly [place: string, missing: string, next: RegExp, leadsTo?: string])[] = [
  ['overview', 'No MCP servers configured.', /^Find those that your agents have, paste .*, or fill in/, 'Add servers'],
  ['servers', 'No MCP servers configured.', /^Find those that your agents have, paste .*, or fill in/, 'Add servers'],
  ['servers/+add/find', 'No agent on the machine of the hub has a server.', /^Paste one instead$/, 'Add servers'],
  ['tools', 'No server offers a tool.', /add one: Servers$/, 'Servers'],
  ['agents', 'No agent is attached right now.', /^Choose yours below/],
  ['agents/codex', 'This agent gets no servers.', /^Add the first one below/],
  ['agents/codex', 'It was never here.', /^Connect it with a line from above/],
  ['executors', 'There are no servers.', /^Add the first one\.$/, 'Add servers'],
  ['executors/codex', 'There are no servers.', /^Add the first one\.$/, 'Add servers'],
  ['approvals', 'No call waits for a yes.', /^To be asked about every call of a server, add to the config/],
  ['activity', 'No agent is connected.', /^Choose yours at Agents: .*junctor mcp export AGENT/, 'Agents'],
  ['activity', 'No call was made yet.', /^Try a tool yourself at Tools, or connect an agent at Agents/, 'Tools'],
  ['settings/tokens', 'No token was made yet.', /^Make one for each agent/],
  ['settings/secrets', 'No secret is stored.', /^Set the first one above/],
];

describe('a page on which there is nothing yet', () => {
  test('says what to do next, and leads there', async context => {
    await visit(context, { version: 1, servers: {} }, async ({ page }) => {
      for (const [place, missing, next, leadsTo] of PLACES) {
        await page.evaluate(`location.hash = '#/${place}'`);
        const title = page.getByText(missing, { exact: true });
        const notice = page.locator('main div:has(> p)').filter({ has: title }).last();
        await notice.waitFor();
        expect(await notice.locator('p').last().innerText(), `${place}: ${missing}`).toMatch(next);
        if (leadsTo === undefined) continue;
        await notice.getByRole('link').first().click();
        await page.getByRole('heading', { level: 1, name: leadsTo, exact: true }).waitFor();
      }
      await page.evaluate(`location.hash = '#/overview'`);
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      expect(await violations(page)).toEqual([]);
    });
  });
});
