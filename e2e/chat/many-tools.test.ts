import { junctor, makeHome, testServer, trusted } from '@junctor/testkit';
import { startModel } from '@junctor/testkit/model';
import { expect, test } from 'vitest';

test('hundreds of tools are searched, and what begins a request stays the same', async () => {
  await using home = await makeHome();
  await home.write('config/junctor/config.json', {
    version: 1,
    servers: { many: trusted(testServer('--tools', '900')) },
  });
  await using model = await startModel([
    { calls: [{ name: 'find_tools', args: { query: 'return the same text' } }] },
    { calls: [{ name: 'call_tool', args: { name: 'mcp__many__echo', arguments: { text: 'found you' } } }] },
    { text: 'It works.' },
    { text: 'Still.' },
  ]);
  const words = ['chat', '--base-url', model.url, '--model', 'scripted', '-p'];
  const { stdout, stderr } = await junctor(home, [...words, 'say it']);
  expect(stdout).toBe('It works.\n');
  expect(stderr).toMatch(/✓ call_tool .*found you/);
  await junctor(home, [...words, 'and again', '--resume']);
  const names = model.requests.map(({ body }) =>
    ((body.tools ?? []) as { function: { name: string } }[]).map(tool => tool.function.name),
  );
  expect(names[0]).toEqual(expect.arrayContaining(['find_tools', 'describe_tool', 'call_tool', 'shell']));
  expect(names[0]?.length).toBeLessThan(30);
  // Tools and instructions are sent alike, byte for byte, and earlier messages are the beginning of later ones.
  const [first, , third, fourth] = model.requests.map(({ body }) => body as { tools: []; messages: unknown[] });
  for (const later of [third, fourth]) {
    expect(JSON.stringify(later?.tools)).toBe(JSON.stringify(first?.tools));
    expect(JSON.stringify(later?.messages.slice(0, 2))).toBe(JSON.stringify(first?.messages));
  }
  expect(JSON.stringify(fourth?.messages.slice(0, third?.messages.length))).toBe(JSON.stringify(third?.messages));
});
