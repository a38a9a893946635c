import { join } from 'node:path';
import { junctor, promise, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { describedRest, readOpenApi } from '../hub/openapi.ts';
import { rest } from '../hub/rest-client.ts';
import { RawClient } from '../hub/rpc.ts';
import { open, violations, visit } from './browser.ts';

const CONFIG = { version: 1, servers: { demo: trusted(testServer()) }, search: { enabled: true, threshold: 0 } };

describe('tools on the page', () => {
  test('are found in the order in which a model finds them, and shown with all that is known of them', async context => {
    await visit(context, CONFIG, async ({ hub, page }) => {
      // Both search in what is known by then.
      await expect.poll(async () => (await rest(hub, '/api/tools')).body.tools).not.toEqual([]);
      const client = await RawClient.openFirst(hub, '/mcp/codex');
      const query = 'report how many calls run';
      const told = JSON.stringify((await client.call(1, 'find_tools', { query, limit: 5 })).at(-1)?.result);
      const read = describedRest(await readOpenApi(hub));
      const { tools } = (await read(hub, `/api/tools/search?limit=5&query=${query.replaceAll(' ', '+')}`)).body;
      const names: string[] = tools.map(({ name }: { name: string }) => name);
      const places = names.map(name => told.indexOf(name));
      expect(places, told).toEqual(places.toSorted((one, other) => one - other));
      expect(places).not.toContain(-1);

      await open(page, 'Tools');
      const list = page.getByRole('region', { name: 'Tools' });
      await list.getByRole('rowheader', { name: 'demo' }).waitFor();
      await page.getByRole('button', { name: 'By what it does' }).click();
      await list.getByRole('rowheader', { name: /Only reads, says its server/ }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('searchbox').fill(query);
      await page.getByText(/found, the best first/).waitFor();
      await expect.poll(() => list.getByRole('link').first().innerText()).toBe(tools[0].tool);
      await list.getByRole('link').first().click();
      await page.getByText(/Fingerprint [0-9a-f]{64}/).waitFor();
      expect(await violations(page)).toEqual([]);
      expect((await read(hub, '/api/tools/one?name=nothing')).status).toBe(404);
    });
  });

  promise(['7.5d', '7.5e'], 'that a lockfile hides are shown with what changed, and approved', async context => {
    // One process for agents and people: what a person calls by hand runs apart where sessions have their own.
    const shared = { ...CONFIG, servers: { demo: { ...CONFIG.servers.demo, mode: 'shared' } } };
    await visit(context, shared, async ({ home, hub, page }) => {
      const config = join(home.path, 'hub.json');
      await junctor(home, ['lock', '--config', config, '--isolated', '--data', home.data]);
      const read = describedRest(await readOpenApi(hub));
      await expect.poll(async () => (await read(hub, '/api/lock')).body.exists).toBe(true);
      const client = await RawClient.openFirst(hub, '/mcp/codex');
      await client.call(1, 'call_tool', { name: 'demo_add_tool', arguments: { name: 'fresh' } });
      await open(page, 'Tools');
      await page.getByRole('heading', { name: /1 tools are hidden/ }).waitFor();
      await page.getByRole('button', { name: 'See what changed' }).click();
      await page.getByRole('heading', { name: 'demo/fresh: a new tool' }).waitFor();
      await page.getByText('Added by add_tool').first().waitFor();
      expect(await violations(page)).toEqual([]);
      const outdated = { method: 'POST', body: { server: 'demo' }, headers: { 'if-match': '"another"' } };
      expect((await read(hub, '/api/lock/approve', outdated)).status).toBe(412);
      await page.getByRole('button', { name: 'Approve demo/fresh' }).click();
      await page.getByRole('link', { name: 'fresh', exact: true }).click();
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByRole('region', { name: 'Result' }).waitFor();
    });
  });
});
