import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Home, junctor, makeHome, promise, startHub } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { parsedFile } from './exported.ts';
import { installAgents, startRun } from './fake-agent.ts';

const CLAUDE = { numStartups: 5, projects: { '/p': { mcpServers: {} } } };
const GOOSE = 'GOOSE_MODEL: gpt # the big one\nGOOSE_PROVIDER: openai\n';
/** All extensions taken out. */
const NO_EXTENSIONS = `${GOOSE}extensions:\n  # none of them\n`;

/** An entry that was written and removed, and a file that somebody changed since: undo has to put the entry back. */
async function removedAndChanged(home: Home, agent: string, file: string, text: string): Promise<string> {
  const path = join(home.path, file);
  await junctor(home, ['mcp', 'export', agent, '--via', 'hub', '--write']);
  await junctor(home, ['mcp', 'export', agent, '--remove']);
  await writeFile(path, text);
  return path;
}

describe('a file whose servers are no map', () => {
  promise(
    ['7.6g'],
    'undo puts an entry back where a map is null or empty, and keeps the rest of the file',
    async () => {
      await using home = await makeHome();
      const empty = { ...CLAUDE, mcpServers: null };
      const claude = await removedAndChanged(home, 'claude-code', '.claude.json', JSON.stringify(empty, null, 2));
      const goose = await removedAndChanged(home, 'goose', 'config/goose/config.yaml', NO_EXTENSIONS);
      for (const agent of ['claude-code', 'goose'])
        expect(await junctor(home, ['mcp', 'export', agent, '--undo'])).toMatchObject({ code: 0 });
      expect(await parsedFile(claude)).toEqual({ ...CLAUDE, mcpServers: { junctor: expect.anything() } });
      expect(await readFile(goose, 'utf8')).toContain(GOOSE);
      expect(await parsedFile(goose)).toMatchObject({
        GOOSE_PROVIDER: 'openai',
        extensions: { junctor: { enabled: true } },
      });
    },
  );

  promise(
    ['7.6g', '7.6h'],
    'where a list is in the way nothing is written, the backup stays, and a write that wrote nothing ends with 1',
    async () => {
      await using home = await makeHome();
      const text = JSON.stringify({ ...CLAUDE, mcpServers: [] });
      const path = await removedAndChanged(home, 'claude-code', '.claude.json', text);
      const undo = () => junctor(home, ['mcp', 'export', 'claude-code', '--undo']);
      expect(await undo()).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("in Claude Code's file is no object"),
      });
      expect(await junctor(home, ['mcp', 'export', 'claude-code', '--via', 'hub', '--write'])).toMatchObject({
        code: 1,
        stdout: `wrote no server to ${path}\n`,
      });
      expect(await readFile(path, 'utf8')).toBe(text);
      await writeFile(path, JSON.stringify(CLAUDE));
      expect(await undo()).toMatchObject({ code: 0 });
      expect(await parsedFile(path)).toEqual({ ...CLAUDE, mcpServers: { junctor: expect.anything() } });
    },
  );

  promise(
    ['7.6g'],
    'the end of a run keeps what the agent wrote meanwhile, and reports what it cannot put back',
    async () => {
      await using home = await makeHome();
      const path = await home.write('config/goose/config.yaml', `${GOOSE}extensions: {}\n`);
      // Written for a hub at the usual port: the run has to write the one of this hub, and to put that back.
      expect(await junctor(home, ['mcp', 'export', 'goose', '--via', 'hub', '--write'])).toMatchObject({ code: 0 });
      const exported = await readFile(path, 'utf8');
      await using _hub = await startHub(home, { servers: {} });
      const env = await installAgents(home, 'goose');
      const runs = async (meanwhile: string) => {
        const running = await startRun(home, env, ['goose']);
        await writeFile(path, meanwhile);
        expect(await running.end('SIGTERM')).toBe(7);
        return readFile(path, 'utf8');
      };
      const after = await runs(NO_EXTENSIONS);
      expect(after).toContain(GOOSE);
      expect(after).toContain('http://127.0.0.1:7717/mcp/goose');

      await writeFile(path, exported);
      expect(await runs(`${GOOSE}extensions: []\n`)).toBe(`${GOOSE}extensions: []\n`);
      const next = await junctor(home, ['run', 'goose'], { env });
      expect(next.stderr).toContain("'junctor' cannot be put back into");
    },
  );
});
