import { testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { rest } from '../hub/rest-client.ts';
import { open, violations, visit } from './browser.ts';

const CONFIG = {
  version: 1,
  servers: {
    demo: { ...trusted(testServer()), env: { REGION: 'eu' } },
    web: { transport: 'http', url: 'http://localhost:4010/mcp' },
  },
  startup: { connect: 'lazy' },
};

describe('the page of executors', () => {
  test('switches transports, rewrites hosts, and forgets it all again', async context => {
    await visit(context, CONFIG, async ({ hub, page }) => {
      const resolved = async () => (await rest(hub, '/api/resolve?agent=codex&executor=ssh')).body;
      await open(page, 'Executors');
      const toggle = page.getByRole('switch', { name: 'ssh: stdio servers', exact: true });
      expect(await toggle.getAttribute('aria-checked')).toBe('true');
      await toggle.click();
      await toggle.getByText('Not allowed').waitFor();
      expect((await resolved()).warnings).toEqual([
        { server: 'demo', message: "transport stdio is not allowed by executor 'ssh'" },
      ]);
      const hosts = page.getByLabel('Hosts that ssh reaches');
      await hosts.fill('localhost');
      await page.getByText("Not a pair: 'localhost'").waitFor();
      await hosts.fill('localhost = gateway.example');
      const example = page.getByRole('region', { name: 'ssh' }).getByRole('status');
      await example.getByText('becomes http://gateway.example:4010/mcp').waitFor();
      await page.getByLabel('For example, on ssh the address').fill('https://example.com/mcp');
      await example.getByText('stays as it is.').waitFor();
      await page.getByRole('button', { name: 'Save hosts of ssh' }).click();
      await page.getByRole('button', { name: 'Save hosts of ssh' }).waitFor({ state: 'detached' });
      await expect.poll(async () => (await resolved()).servers[0].endpoint).toBe('http://gateway.example:4010/mcp');
      await page.getByRole('button', { name: 'Forget what was set for ssh' }).click();
      await toggle.getByText('Allowed', { exact: true }).waitFor();
      const noPlace = "no settings of executor 'ssh' say where its program starts";
      expect((await resolved()).warnings).toEqual([{ server: 'demo', message: expect.stringContaining(noPlace) }]);
      const card = page.getByRole('region', { name: 'ssh' });
      await card.getByText('Programs do not start here: no settings of this executor say where.').waitFor();
      await page.getByRole('region', { name: 'local' }).getByText('Programs are started on this machine.').waitFor();
    });
  });

  test('injects variables with who wins, tells of a change in another tab, and takes a change back', async context => {
    await visit(context, CONFIG, async ({ hub, page }) => {
      const env = async () => (await rest(hub, '/api/resolve?agent=codex&executor=k8s')).body.servers[0].env;
      await open(page, 'Executors');
      const card = page.getByRole('region', { name: 'k8s' });
      await card.getByRole('button', { name: 'Add a variable to k8s' }).press('Enter');
      await card.getByText('Give the variable a name.').waitFor();
      await card.getByLabel('Name of variable 1').fill('REGION');
      await card.getByLabel('Value of variable 1').fill('us');
      await page.reload();
      await card.getByText('demo gets us, not its own eu.').waitFor();
      await card.getByRole('button', { name: 'Save variables of k8s' }).press('Enter');
      await card.getByText('Changed, and in force').waitFor();
      expect(await env()).toEqual({ REGION: 'us' });
      await card.getByLabel('Who wins for variable 1').selectOption('server');
      await card.getByText('demo keeps its own eu.').waitFor();

      // Somebody else is faster, and this page has not heard of it yet.
      const { promise: unheard, resolve: hear } = Promise.withResolvers<void>();
      await page.route('**/api/executors', async route => {
        await unheard;
        await route.continue();
      });
      const { body: read, etag } = await rest(hub, '/api/executors/k8s');
      expect(read.etag).toBe(etag);
      const body = { ...read.policy, allow_sse: false };
      const headers = { 'if-match': etag as string };
      expect((await rest(hub, '/api/executors/k8s', { method: 'PUT', body, headers })).status).toBe(200);
      const refused = page.waitForResponse(answer => answer.status() === 412);
      await card.getByRole('button', { name: 'Save variables of k8s' }).click();
      await refused;
      hear();
      await card.getByText('Somebody else changed k8s since you looked').waitFor();
      await card.getByText('allow_sse was true, and is false').waitFor();
      expect(await env()).toEqual({ REGION: 'us' });
      await card.getByRole('button', { name: 'Make mine as well' }).click();
      await card.getByText('Changed, and in force').waitFor();
      expect(await env()).toEqual({ REGION: 'eu' });
      expect((await rest(hub, '/api/executors/k8s')).body.policy).toMatchObject({ allow_sse: false });
      expect(await violations(page)).toEqual([]);
      await card.getByRole('button', { name: 'Undo the last change of k8s' }).click();
      await expect.poll(env).toEqual({ REGION: 'us' });
    });
  });

  test('shows what will work for which agent where, and why not', async context => {
    const config = { ...CONFIG, executors: { ssh: { allow_stdio: false } }, agents: { gemini: { servers: ['demo'] } } };
    await visit(context, config, async ({ page }) => {
      await open(page, 'Executors');
      const row = (name: RegExp) => page.getByRole('row', { name }).waitFor();
      await row(/^codex ✓ all 2 1 of 2 1 of 2 1 of 2 ✓ all 2/);
      await row(/^gemini ✓ all 1 0 of 1 0 of 1 0 of 1 ✓ all 1/);
      await page.getByRole('link', { name: 'gemini' }).click();
      await page.getByRole('heading', { name: 'What will work for gemini' }).waitFor();
      await row(
        /^demo ✓ per_session ✕ no settings of executor 'docker' say where its program starts ✕ transport stdio is not allowed by executor 'ssh'/,
      );
      // It counts and shows the servers of this agent alone.
      expect(await page.getByRole('row', { name: /^web/ }).count()).toBe(0);
      expect(await violations(page)).toEqual([]);
    });
  });
});
