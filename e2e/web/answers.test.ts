import { testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { describedRest, readOpenApi } from '../hub/openapi.ts';
import { RawClient } from '../hub/rpc.ts';
import { open, visit } from './browser.ts';

const CONFIG = {
  version: 1,
  servers: {
    demo: trusted(testServer()),
    broken: { transport: 'stdio', command: '/nowhere/at-all', trust: 'trusted' },
  },
};

/** A stream, and the document itself. */
const NOT_JSON = ['/api/events', '/api/openapi.json'];

describe('what the page reads', () => {
  test('is described by the OpenAPI document, path by path, and is what it says', async context => {
    await visit(context, CONFIG, async ({ hub, page }) => {
      const asked = new Map<string, string>();
      page.on('request', request => {
        const { pathname, search } = new URL(request.url());
        if (pathname.startsWith('/api/') && !NOT_JSON.includes(pathname))
          asked.set(`${request.method()} ${pathname}${search}`, request.postData() ?? '');
      });
      const client = await RawClient.open(hub, '/mcp/codex');
      await client.call(1, 'demo_echo', { text: 'x' });
      await page.reload();
      for (const title of ['Overview', 'Servers', 'Tools', 'Executors', 'Approvals', 'Activity', 'Agents'])
        await open(page, title);
      await page.getByRole('link', { name: 'codex', exact: true }).click();
      await page.getByRole('region', { name: 'Resolution' }).waitFor();
      const read = describedRest(await readOpenApi(hub));
      for (const [request, body] of asked) {
        const [method = '', path = ''] = request.split(' ');
        const { status } = await read(hub, path, { method, ...(body === '' ? {} : { body: JSON.parse(body) }) });
        expect({ request, status }).toEqual({ request, status: 200 });
      }
      expect(asked.size).toBeGreaterThan(10);
    });
  });
});
