import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promise, testServer, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { configOf, rest } from '../hub/rest-client.ts';
import { RawClient } from '../hub/rpc.ts';
import { CONFIG, openAgent, partOf } from './agent-page.ts';
import { violations, visit } from './browser.ts';

describe('the settings page of an agent', () => {
  promise('5.8a', 'switches MCP off for that agent and no other, and on again', async context => {
    await visit(context, CONFIG, async ({ hub, page }) => {
      await openAgent(page, 'codex');
      const tools = async (agent: string): Promise<number> => {
        const client = await RawClient.open(hub, `/mcp/${agent}`);
        const [answer] = await client.messages({ id: 1, method: 'tools/list' });
        return ((answer as { result: object }).result as { tools: unknown[] }).tools.length;
      };
      const toggle = page.getByRole('switch', { name: 'MCP for codex' });
      expect(await toggle.getAttribute('aria-checked')).toBe('true');
      await toggle.click();
      await page.getByText('MCP is off', { exact: true }).waitFor();
      expect([await tools('codex'), (await configOf(hub, 'codex')).body.enabled]).toEqual([0, false]);
      expect(await tools('cursor')).toBeGreaterThan(0);
      await page.reload();
      await page.getByText('MCP is off', { exact: true }).click();
      await page.getByText('MCP is on', { exact: true }).waitFor();
      expect(await tools('codex')).toBeGreaterThan(0);
    });
  });

  promise(['7.12a', '7.12b', '5.8j'], 'shows how far each session came, and lines to copy', async context => {
    await visit(context, CONFIG, async ({ home, hub, page }) => {
      await openAgent(page, 'codex');
      await page.getByText('It was never here.').waitFor();
      const lineOf = async (words: string): Promise<string> => {
        const line = `junctor ${words} --data ${home.data}`;
        await page.getByText(line, { exact: true }).waitFor();
        return line;
      };
      await lineOf('run codex');
      // As they stand, with nothing else set: they mean this hub.
      const { JUNCTOR_DATA: _, ...env } = home.env;
      const run = (line: string) => spawnSync('sh', ['-c', line], { env, cwd: home.project, encoding: 'utf8' }).stdout;
      const token = run(await lineOf('hub token --agent codex')).trim();
      expect((await hub.fetch('/mcp/codex', { token, method: 'POST' })).status).not.toBe(401);
      run(await lineOf('mcp export codex --via hub --write'));
      expect(await readFile(join(home.path, '.codex', 'config.toml'), 'utf8')).toContain(`${hub.url}/mcp/codex`);
      const client = await RawClient.open(hub, '/mcp/codex');
      await client.messages({ id: 1, method: 'tools/list' });
      expect((await rest(hub, '/api/sessions?agent=codex')).body.sessions).toHaveLength(1);
      await page.reload();
      const row = page.getByRole('row', { name: /^demo yes no/ });
      await row.waitFor();
      const cells = await row.getByRole('cell').allInnerTexts();
      expect(cells.at(-2)).toMatch(/^yes/);
      expect(cells.at(-1)).toBe('not seen');
      await client.call(2, 'demo_echo', { text: 'x' });
      await row.getByRole('cell').last().getByText(/^yes/).waitFor();
    });
  });

  promise(
    ['7.6a', '7.6c', '7.6d', '7.6f'],
    'writes the hub into the file of the agent: shown first, watched, undone',
    async context => {
      await visit(context, CONFIG, async ({ home, hub, page }) => {
        const file = join(home.path, '.cursor', 'mcp.json');
        const before = '{\n  // mine\n  "mcpServers": { "notes": { "command": "notes" } }\n}\n';
        await mkdir(join(home.path, '.cursor'));
        await writeFile(file, before);
        await openAgent(page, 'cursor');
        const part = partOf(page, 'Its own file');
        await part.getByText('Junctor has written nothing there.').waitFor();
        await part.getByRole('button', { name: 'Write into its file' }).press('Enter');
        const lines = page.getByRole('region', { name: 'Lines that would change' });
        await lines.getByText(`${hub.url}/mcp/cursor`).waitFor();
        await lines.getByText('"Authorization": "Bearer ${env:JUNCTOR_TOKEN_CURSOR}"').waitFor();
        expect(await readFile(file, 'utf8')).toBe(before);
        expect(await violations(page)).toEqual([]);
        await part.getByRole('button', { name: 'Write these lines' }).press('Enter');
        await part.getByText('It is as Junctor wrote it.').waitFor();
        const written = await readFile(file, 'utf8');
        expect(written).toContain('${env:JUNCTOR_TOKEN_CURSOR}');
        expect(written).toContain('// mine');

        // Somebody else writes it, also while the lines are before the person's eyes.
        await part.getByRole('button', { name: 'Take it out' }).click();
        await lines.waitFor();
        await writeFile(file, written.replace('/mcp/cursor', '/mcp/other'));
        await part.getByRole('button', { name: 'Take these lines out' }).click();
        await part.getByText('Somebody else changed this since it was read').waitFor();
        await part.getByText("'junctor': url changed").waitFor();
        await part.getByRole('button', { name: 'Write into its file' }).click();
        await part.getByRole('button', { name: 'Write these lines' }).click();
        await part.getByText('It is as Junctor wrote it.').waitFor();
        expect(await readFile(file, 'utf8')).toBe(written);
        for (const left of ['Somebody else changed what Junctor wrote', 'Junctor has written nothing there.']) {
          await part.getByRole('button', { name: 'Undo the last write' }).click();
          await part.getByRole('button', { name: 'Undo it' }).click();
          await part.getByText(left).waitFor();
        }
        expect(await readFile(file, 'utf8')).toBe(before);
      });
    },
  );

  promise(
    ['7.8a', '7.8b', '7.8f'],
    'explains a server and a tool, says before a run what is missing, and sets how tools are seen',
    async context => {
      const demo = { ...trusted(testServer()), tools: { deny: ['slow'] } };
      const config = { version: 1, servers: { demo }, permissions: { deny: ['mcp__demo__fail'] } };
      await visit(context, config, async ({ hub, page }) => {
        await openAgent(page, 'codex');
        const why = partOf(page, 'Why, on local');
        await why.getByRole('button', { name: 'Explain' }).click();
        await why.getByRole('row', { name: /^trust trusted explicit .*hub\.json:/ }).waitFor();
        await why.getByRole('row', { name: /^mode auto default/ }).waitFor();
        await why.getByLabel('Tool, or nothing').fill('slow');
        await page.keyboard.press('Enter');
        await why.getByText("tools.deny of its server has 'slow'").waitFor();
        await why.getByText("take 'slow' out of tools.deny").waitFor();

        const run = partOf(page, 'Before a run on local');
        await run.getByLabel('Tools it needs').fill('demo/echo demo/fail, demo/slow');
        await page.keyboard.press('Enter');
        await run.getByText('codex on local lacks 2 of 3.').waitFor();
        await run.getByRole('row', { name: /^demo\/echo ✓ yes/ }).waitFor();
        await run.getByRole('row', { name: /^demo\/fail ✕ no the rule deny mcp__demo__fail/ }).waitFor();
        expect(await violations(page)).toEqual([]);

        const tools = async (): Promise<string[]> => {
          const client = await RawClient.open(hub, '/mcp/codex');
          const [answer] = await client.messages({ id: 1, method: 'tools/list' });
          return (answer as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name);
        };
        expect(await tools()).toContain('demo_echo');
        await page.getByLabel('Its tools').selectOption('search');
        await page.getByText('Counts for sessions that begin from now on').waitFor();
        expect(await tools()).toContain('find_tools');
        expect(await tools()).not.toContain('demo_echo');
        await page.reload();
        await expect.poll(() => page.getByLabel('Its tools').inputValue()).toBe('search');
      });
    },
  );
});
