import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { everything, makeHome, memory, processesMarked, startHub, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { describedRest, readOpenApi } from '../hub/openapi.ts';
import { rest } from '../hub/rest-client.ts';
import { RawClient } from '../hub/rpc.ts';
import { violations, visit } from './browser.ts';

describe('the traffic of a server', () => {
  test('is seen in both directions while somebody looks, masked, with what its program prints', async context => {
    const mark = randomUUID();
    const demo = { ...trusted(testServer()), mode: 'shared', env: { LC_DEMO: mark, DEMO_TOKEN: 'tok-0123456789' } };
    await visit(
      context,
      { version: 1, servers: { demo, everything: trusted(everything()) } },
      async ({ hub, page }) => {
        const client = await RawClient.open(hub, '/mcp/codex');
        await client.call(1, 'demo_echo', { text: 'before' });
        await page.goto(`${hub.url}/#/servers/demo/traffic`);
        await page.getByText('Nothing was said yet.').waitFor();
        await page.getByText(/^1 agent, 1 process, \d+ MB, idle \d+ s$/).waitFor();
        const watching = page.waitForResponse(/\/traffic$/);
        await page.reload();
        await watching;
        const messages = page.getByRole('list', { name: 'Messages, newest first' }).getByRole('listitem');
        await expect
          .poll(async () => {
            await client.call(2, 'demo_echo', { text: 'hello tok-0123456789', password: 'hunter2-hunter2' });
            return messages.count();
          })
          .toBeGreaterThan(1);
        await messages.filter({ hasText: 'tools/call echo' }).first().click();
        await page.locator('details[open]').getByText('"method": "tools/call"').waitFor();
        const shown = await page.locator('main').innerText();
        expect(shown).toContain('hello •••');
        expect(shown).not.toMatch(/tok-0123456789|hunter2/);
        expect(shown).not.toContain('before');
        expect(await violations(page)).toEqual([]);
        await page.getByLabel('Only messages that hold').fill('nothing like it');
        await page.getByText('No message holds that.').waitFor();
        await page.getByLabel('Only messages that hold').fill('');
        // It dies while it is watched: its state tells, and so do the greeting and the life that follow.
        for (const { pid } of processesMarked(`LC_DEMO=${mark}`)) process.kill(pid, 'SIGKILL');
        await messages.filter({ hasText: 'initialize' }).first().waitFor();
        await page.getByText('Ready').first().waitFor();
        await page.goto(`${hub.url}/#/servers/everything/traffic`);
        await page.getByText(/Starting default \(STDIO\) server/).waitFor();
      },
    );
  });

  test('is a stream that ends with its reader; every life tells of its processes and their memory', async () => {
    await using home = await makeHome();
    const servers = { memory: trusted(memory(join(home.path, 'memory.json'))) };
    await using hub = await startHub(home, { version: 1, servers });
    expect((await rest(hub, '/api/servers/nobody/traffic')).status).toBe(404);
    const reader = new AbortController();
    const stream = await hub.fetch('/api/servers/memory/traffic', { signal: reader.signal });
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    reader.abort();
    await stream.text().catch(() => {});
    const asked = describedRest(await readOpenApi(hub));
    const lives = async () => (await asked(hub, '/api/instances?server=memory')).body.instances;
    await expect
      .poll(lives)
      .toEqual([expect.objectContaining({ processes: 1, memory_bytes: expect.any(Number), life: expect.any(Number) })]);
  });
});
