import { promise } from '@junctor/testkit';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { configOf, post } from '../hub/rest-client.ts';
import { CONFIG, openAgent } from './agent-page.ts';
import { violations, visit } from './browser.ts';

const json = (page: Page) => page.getByLabel('Servers as JSON');
const preview = (page: Page) => page.getByRole('region', { name: 'Preview' });
/** The editor takes Enter for its list only once that has stood there for 75 ms: before, it would begin a new line. */
const takeOffered = async (page: Page, name: RegExp) => {
  const list = page.locator('.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled)');
  await list.getByRole('option', { name, selected: true }).waitFor();
  await page.waitForTimeout(200);
  await page.keyboard.press('Enter');
};
const written = async (page: Page) => JSON.parse(await json(page).innerText());

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved, and in force').waitFor();
}

describe('the servers of an agent, on its page', () => {
  promise(
    ['5.8b', '5.8c'],
    'edits the servers as forms and as JSON, which show the same, with a mode for each',
    async context => {
      await visit(context, CONFIG, async ({ hub, page }) => {
        await openAgent(page, 'codex');
        const mode = page.getByLabel('Mode of demo');
        expect(await mode.locator('option').evaluateAll(all => all.map(one => one.getAttribute('value')))).toEqual([
          'auto',
          'shared',
          'per_session',
        ]);
        for (const chosen of ['shared', 'per_session', 'auto']) {
          await mode.selectOption(chosen);
          await page.getByRole('button', { name: 'JSON' }).click();
          expect((await written(page)).servers.demo.mode).toBe(chosen);
          await page.getByRole('button', { name: 'Structured' }).click();
          await save(page);
          expect((await configOf(hub, 'codex')).body.servers.demo.mode).toBe(chosen);
        }
        await page.getByRole('button', { name: 'Add a server for this agent' }).click();
        await page.getByRole('dialog').getByLabel('Id').fill('more');
        await page.getByRole('dialog').getByLabel('Command').fill('node "a b.mjs"');
        await page.getByRole('button', { name: 'Add', exact: true }).click();
        await page.getByLabel('Arguments of more').fill('a b.mjs\n--quiet');
        await page.getByRole('button', { name: 'JSON' }).click();
        const list = await written(page);
        expect(list.servers.more).toEqual({ type: 'stdio', command: 'node', args: ['a b.mjs', '--quiet'] });
        // What is written as JSON stands in the forms, and the other way round.
        const search = { type: 'http', url: 'http://127.0.0.1:9/mcp', mode: 'shared', headers: { 'X-Team': 'core' } };
        await json(page).fill(JSON.stringify({ servers: { search } }));
        await page.getByRole('button', { name: 'Structured' }).click();
        expect(await page.getByRole('group', { name: /^(demo|more)/ }).count()).toBe(0);
        expect(await page.getByLabel('Mode of search').inputValue()).toBe('shared');
        await page.getByLabel('URL of search').fill('http://127.0.0.1:10/mcp');
        await page.getByRole('button', { name: 'JSON' }).click();
        expect(await written(page)).toEqual({ servers: { search: { ...search, url: 'http://127.0.0.1:10/mcp' } } });
        await page.getByRole('button', { name: 'Structured' }).click();
        expect(await violations(page)).toEqual([]);
        await page.getByRole('button', { name: 'Undo my changes' }).click();
        await page.getByLabel('Mode of demo').waitFor();
        await page.getByRole('button', { name: 'Follow the config files again' }).click();
        await page.getByText('From the config files.').waitFor();
      });
    },
  );

  promise(
    ['5.8d', '5.8e', '5.8f'],
    'previews what a list comes to on an executor, with what is wrong there and what is left out',
    async context => {
      const executors = { ssh: { allow_sse: false }, k8s: { stdio_proxy: true } };
      await visit(context, { ...CONFIG, executors, startup: { connect: 'lazy' } }, async ({ hub, page }) => {
        await openAgent(page, 'codex');
        await page.getByRole('button', { name: 'JSON' }).click();
        const servers = {
          fs: { type: 'stdio', command: 'node' },
          web: { type: 'http', url: 'http://localhost:4010/mcp' },
          feed: { type: 'sse', url: 'http://localhost:4011/sse' },
        };
        await json(page).fill(JSON.stringify({ servers }));
        const row = (name: RegExp) => preview(page).getByRole('row', { name }).waitFor();
        await row(/fs stdio per_session stdio:/);
        await row(/web http shared http:\/\/localhost:4010\/mcp/);
        const executor = page.getByLabel('Executor');
        await executor.selectOption('docker');
        await row(
          /web http shared http:\/\/host\.docker\.internal:4010\/mcp \(through the hub: http:\/\/localhost:4010\/mcp\)/,
        );
        await preview(page).getByText("Warning: fs: no settings of executor 'docker' say").waitFor();
        await executor.selectOption('ssh');
        await preview(page).getByText("Warning: feed: transport sse is not allowed by executor 'ssh'").waitFor();
        expect(await preview(page).getByRole('row', { name: /^feed/ }).count()).toBe(0);
        await page.getByRole('button', { name: 'Structured' }).click();
        await page.getByLabel('Mode of fs').selectOption('shared');
        await preview(page)
          .getByText(/Error: fs: .*shared.*stdio/)
          .waitFor();
        expect(await violations(page)).toEqual([]);
        // Nothing that is an error is stored.
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('servers.fs.mode').waitFor();
        expect((await configOf(hub, 'codex')).body.servers.fs).toBeUndefined();
        for (const proxied of ['k8s', 'local']) {
          await executor.selectOption(proxied);
          await row(/fs stdio shared/);
          expect(
            await preview(page)
              .getByText(/Error:/)
              .count(),
          ).toBe(0);
        }
        await save(page);
        expect((await configOf(hub, 'codex')).body.servers.fs.mode).toBe('shared');
      });
    },
  );

  test('offers what may stand in the JSON, and tells what is wrong at its place; a reload loses nothing', async context => {
    await visit(context, CONFIG, async ({ page }) => {
      await openAgent(page, 'codex');
      await page.getByRole('button', { name: 'JSON' }).press('Enter');
      await json(page).fill('{ "servers": ');
      await page.getByText('This is not JSON').waitFor();
      expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);

      // By keyboard alone: a key, one of its words, and out of the editor again.
      await json(page).fill('{ "servers": { "fs": {} } }');
      for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Control+Space');
      await page.getByRole('option', { name: /^type/ }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('listbox').waitFor({ state: 'detached' });
      await page.keyboard.type('"ty');
      await takeOffered(page, /^type/);
      await page.getByRole('option', { name: 'streamable_http' }).waitFor();
      await page.keyboard.type('std');
      await page.getByRole('option', { name: 'streamable_http' }).waitFor({ state: 'detached' });
      await takeOffered(page, /^stdio/);
      await page.keyboard.type(',"com');
      await page.getByRole('option', { name: /^command/ }).waitFor();
      expect(await page.getByRole('option', { name: /^url/ }).count()).toBe(0);
      await takeOffered(page, /^command/);
      await page.keyboard.type('node');
      await expect.poll(() => written(page)).toEqual({ servers: { fs: { type: 'stdio', command: 'node' } } });

      await json(page).fill('{ "servers": { "fs": { "type": "stdio", "comand": "x" } } }');
      const alert = preview(page).getByRole('alert');
      await alert.getByText('servers.fs.comand').waitFor();
      expect(await alert.innerText()).toContain("Did you mean 'command'?");
      await page.locator('.cm-lintRange-error', { hasText: 'comand' }).first().waitFor();
      await page.keyboard.press('Control+Shift+M');
      await page.getByRole('option', { name: "Did you mean 'command'?" }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Tab');
      expect(await json(page).evaluate(editor => editor.matches(':focus'))).toBe(false);

      await page.reload();
      await page.getByText('this is what you wrote here before').waitFor();
      await page.getByRole('button', { name: 'JSON' }).click();
      expect(await json(page).innerText()).toContain('comand');
      await page.getByRole('button', { name: 'Undo my changes' }).click();
      expect(Object.keys((await written(page)).servers)).toEqual(['demo']);
      await page.reload();
      await page.getByLabel('Mode of demo').waitFor();
    });
  });

  test('tells of a change in another tab, and overwrites nothing', async context => {
    await visit(context, CONFIG, async ({ hub, page, context: browser }) => {
      await openAgent(page, 'codex');
      const other = await browser.newPage();
      await other.goto(page.url());
      await other.getByLabel('Mode of demo').selectOption('per_session');
      await page.getByLabel('Mode of demo').selectOption('shared');
      await save(page);
      await other.getByText('Somebody else changed these servers since you began').waitFor();
      await other.getByRole('region', { name: 'What they changed' }).getByText('"mode": "shared"').waitFor();
      expect(await other.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
      expect((await configOf(hub, 'codex')).body.servers.demo.mode).toBe('shared');
      await other.getByRole('button', { name: 'Show theirs, drop mine' }).click();
      expect(await other.getByLabel('Mode of demo').inputValue()).toBe('shared');

      // One that has not heard of it yet is refused by the hub.
      await other.getByLabel('Mode of demo').selectOption('auto');
      const { promise: unheard, resolve: hear } = Promise.withResolvers<void>();
      await other.route('**/api/mcp-config?agent=codex', async route => {
        if (route.request().method() === 'GET') await unheard;
        await route.continue();
      });
      const { body } = await configOf(hub, 'codex');
      await post(hub, 'codex', { ...body, servers: { demo: { ...body.servers.demo, mode: 'per_session' } } });
      const refused = other.waitForResponse(answer => answer.request().method() === 'POST' && answer.status() === 412);
      await other.getByRole('button', { name: 'Save', exact: true }).click();
      await refused;
      hear();
      await other.getByText('Somebody else changed these servers since you began').waitFor();
      expect((await configOf(hub, 'codex')).body.servers.demo.mode).toBe('per_session');
      await other.getByRole('button', { name: 'Keep mine, to be saved over theirs' }).click();
      await save(other);
      expect((await configOf(hub, 'codex')).body.servers.demo.mode).toBe('auto');
    });
  });
});
