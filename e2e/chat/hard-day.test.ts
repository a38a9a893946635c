import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { everything, filesystem, makeHome, memory, misbehaving, trusted } from '@junctor/testkit';
import { startModel } from '@junctor/testkit/model';
import { openTerminal } from '@junctor/testkit/terminal';
import { expect, test } from 'vitest';

test('at a terminal: servers from npm called at once, one that dies, a provider that is busy, refuses and breaks off', async () => {
  await using home = await makeHome();
  await writeFile(join(home.project, 'note.txt'), 'what is in the note');
  const servers = {
    everything: trusted(everything()),
    fs: trusted(filesystem(home.project)),
    memory: trusted(memory(join(home.path, 'memory.jsonl'))),
    dying: trusted(misbehaving('dies-in-call')),
  };
  await home.write('config/junctor/config.json', { version: 1, servers });
  await using model = await startModel([
    { fails: { status: 429, message: 'slow down' } },
    {
      calls: [
        { name: 'mcp__everything__echo', args: { message: 'hello' } },
        { name: 'mcp__fs__read_text_file', args: { path: join(home.project, 'note.txt') } },
        { name: 'mcp__memory__read_graph', args: {} },
        { name: 'mcp__dying__crash', args: {} },
      ],
    },
    { text: 'Three of them answered.' },
    { text: 'half an ans', breaks: true },
    { fails: { status: 400, message: 'no such thing' } },
    { text: 'I am back.' },
  ]);
  await using terminal = openTerminal(home, ['chat', '--base-url', model.url, '--model', 'scripted']);
  await terminal.shows(/\n›$/);
  for (const id of Object.keys(servers)) await terminal.enter(`/mcp connect ${id}`, new RegExp(`connected '${id}'`));
  const ran = await terminal.enter('ask all of them', /Three of them answered\.[\s\S]*\n›$/);
  expect(ran).toMatch(/✓ everything echo/);
  expect(ran).toMatch(/✓ fs read_text_file[^\n]*what is in the note/);
  expect(ran).toMatch(/✓ memory read_graph/);
  expect(ran).toMatch(/✗ failed dying crash/);
  const told = JSON.stringify(model.requests[2]?.body.messages);
  for (const part of ['Echo: hello', 'what is in the note', 'entities', "Server 'dying'"]) expect(told).toContain(part);
  await terminal.enter('go on', /broke off[\s\S]*\n›$/);
  await terminal.enter('and now', /refused the request[\s\S]*\n›$/);
  await terminal.enter('still there?', /I am back\.[\s\S]*\n›$/);
});
