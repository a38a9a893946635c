import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeHome, ROOT, testServer } from '@junctor/testkit';
import { startModel } from '@junctor/testkit/model';
import { openTerminal } from '@junctor/testkit/terminal';
import { expect, test } from 'vitest';
import { blocksOf, followPage, readPage } from '../docs/run-page.ts';

const PAGE = 'docs/chat.md';

const echo = { calls: [{ name: 'mcp__demo__echo', args: { text: 'I am here' } }] };

test('docs/chat.md, with a model on this machine', async () => {
  await using model = await startModel([
    echo,
    { text: 'Yes: it answered "I am here".' },
    { text: 'I am here.' },
    { text: 'Good evening to you.' },
    { text: 'Good morning to you.' },
  ]);
  await followPage(PAGE, async () => ({ standIns: { 'http://127.0.0.1:11434/v1': model.url } }));
  expect(model.complaints).toEqual([]);
}, 120_000);

test('docs/chat.md shows the screen as it is', async () => {
  await using home = await makeHome();
  await home.write('config/junctor/config.json', { version: 1, servers: { demo: testServer() } });
  await using model = await startModel([echo, { text: 'It says: I am here.' }]);
  const words = ['chat', '--base-url', model.url, '--model', 'qwen3'];
  await using terminal = openTerminal(home, words, { columns: 100 });
  await terminal.shows(/\n›$/);
  await terminal.enter('/mcp connect demo', /tools\n›$/);
  await terminal.enter('/mcp', /ready.*\n›$/);
  await terminal.enter('is the demo server there?', /why not:$/);
  terminal.type('s\r');
  await terminal.shows(/It says: I am here\.\n›$/);
  await terminal.enter('/mcp status', /details\n›$/);
  // Times differ from run to run.
  const seen = terminal
    .screen()
    .replace(/\d+ ms|\d+(?:\.\d+)? s\b/g, '4 ms')
    .replace(/\d+s ago/g, '2s ago');
  const [block] = blocksOf(PAGE, 'screen');
  if (process.env.WRITE_PAGES === '1')
    writeFileSync(
      join(ROOT, PAGE),
      readPage(PAGE).replace(/```screen\n[\s\S]*?```/, () => `\`\`\`screen\n${seen}\n\`\`\``),
    );
  else expect(seen).toBe(block?.text.trimEnd());
});
