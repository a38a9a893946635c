import { testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { rest } from '../hub/rest-client.ts';
import { open, visit } from './browser.ts';

const CONFIG = {
  version: 1,
  servers: { demo: trusted(testServer()), web: { transport: 'http', url: 'http://localhost:4010/mcp' } },
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
      await page.getByRole('button', { name: 'Save hosts of ssh' }).click();
      await page.getByRole('button', { name: 'Save hosts of ssh' }).waitFor({ state: 'detached' });
      await expect.poll(async () => (await resolved()).servers[0].endpoint).toBe('http://gateway.example:4010/mcp');
      await page.getByRole('button', { name: 'Forget what was set for ssh' }).click();
      await toggle.getByText('Allowed', { exact: true }).waitFor();
      expect((await resolved()).warnings).toEqual([]);
    });
  });
});
