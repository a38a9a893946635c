import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npmServer, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { describedRest, readOpenApi } from '../hub/openapi.ts';
import { rest } from '../hub/rest-client.ts';
import { open, violations, visit } from './browser.ts';

const CONFIG = { version: 1, servers: { demo: trusted(testServer()) } };

describe('servers are added on the page', () => {
  test('from a pasted line and pasted TOML; a secret goes to the secret store', async context => {
    await visit(context, CONFIG, async ({ home, hub, page }) => {
      await open(page, 'Servers');
      await page.getByRole('button', { name: 'Add a server' }).click();
      await page.getByRole('link', { name: 'Paste', exact: true }).click();
      const box = page.getByLabel(/^JSON, TOML or YAML/);
      await box.fill('hello there');
      await page.getByText('No server was understood.').waitFor();
      const line = `claude mcp add notes --env API_TOKEN=tok-0123456789 -- "${process.execPath}" "${npmServer('filesystem')}" "${home.project}"`;
      await box.fill(line);
      await page.getByText('Read as a line that adds a server.').waitFor();
      await page.getByText(/Its secret goes to the secret store.*notes\.API_TOKEN/).waitFor();
      expect(await page.locator('main').innerText()).not.toContain('tok-0123456789');
      expect(await violations(page)).toEqual([]);
      await page.getByLabel('Id of notes').fill('demo');
      await page.getByText("There is a server 'demo' already").waitFor();
      expect(await page.getByRole('button', { name: 'Add 1 server' }).isDisabled()).toBe(true);
      await page.getByLabel('Id of notes').fill('files');
      await page.getByRole('button', { name: 'Add 1 server' }).click();
      await page.getByText('Added, and in force:').waitFor();
      const text = await readFile(join(home.path, 'hub.json'), 'utf8');
      expect(text).toContain('${secret:files.API_TOKEN.');
      expect(text).not.toContain('tok-0123456789');
      await page.getByRole('link', { name: 'files', exact: true }).click();
      await page.getByRole('link', { name: 'list_directory', exact: true }).waitFor();
      // A reload in the middle of it comes back to the same place.
      await page.goto(`${hub.url}/#/servers/+add/paste`);
      await page.reload();
      await box.fill(
        `[mcp_servers.everything]\ncommand = "${process.execPath}"\nargs = ["${npmServer('everything')}"]\n`,
      );
      await page.getByText('Read as a file of Codex').waitFor();
      await page.getByRole('button', { name: 'Add 1 server' }).click();
      await page.getByRole('link', { name: 'everything', exact: true }).click();
      await page.getByRole('link', { name: 'echo', exact: true }).waitFor();
    });
  });

  test('from the files of agents on this machine: the same server once, what is chosen and no other', async context => {
    await visit(context, CONFIG, async ({ home, hub, page }) => {
      const memory = { command: process.execPath, args: [npmServer('memory')] };
      await page.goto(`${hub.url}/#/servers/+add/find`);
      await page.getByText('No agent on the machine of the hub has a server.').waitFor();
      const other = { command: 'other-demo' };
      await home.write('.claude.json', { mcpServers: { memory: { type: 'stdio', ...memory }, demo: other } });
      await home.write('.cursor/mcp.json', { mcpServers: { memory, extra: { url: 'http://127.0.0.1:9/mcp' } } });
      await page.reload();
      const offered = page.getByRole('main').getByRole('checkbox');
      await expect.poll(() => offered.count()).toBe(3);
      await page.getByText(/from .*\.claude\.json, .*\.cursor\/mcp\.json/).waitFor();
      expect(await page.getByRole('checkbox', { name: /^demo/ }).isChecked()).toBe(false);
      await page.getByRole('checkbox', { name: /^extra/ }).uncheck();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Add 1 server' }).click();
      await page.getByText('Added, and in force:').waitFor();
      const stored = JSON.parse(await readFile(join(home.path, 'hub.json'), 'utf8')).servers;
      expect(Object.keys(stored)).toEqual(['demo', 'memory']);
      expect(stored.memory).toMatchObject(memory);
      await page.getByRole('link', { name: 'memory', exact: true }).click();
      await page.getByRole('link', { name: 'create_entities', exact: true }).waitFor();
      // The same over REST, as the OpenAPI document says.
      const asked = describedRest(await readOpenApi(hub));
      const preview = await asked(hub, '/api/imports/preview', { method: 'POST', body: {} });
      expect(preview.body.servers.map(({ id, present }: Record<string, string>) => [id, present])).toEqual([
        ['memory', 'same'],
        ['demo', 'other'],
        ['extra', 'no'],
      ]);
      const send = async (chosen: object[]) =>
        (await asked(hub, '/api/imports', { method: 'POST', body: { chosen } })).status;
      expect(await send([{ id: 'demo' }])).toBe(400);
      expect(await send([{ id: 'nobody' }])).toBe(404);
      expect(await send([])).toBe(400);
      expect(
        await send([
          { id: 'demo', replace: true },
          { id: 'extra', as: 'more' },
        ]),
      ).toBe(201);
      expect((await rest(hub, '/api/servers/demo')).body.definition).toMatchObject(other);
    });
  });
});
