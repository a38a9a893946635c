import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { junctor, makeHome, promise } from '@junctor/testkit';
import { startModel } from '@junctor/testkit/model';
import { expect } from 'vitest';

promise(
  '12.6d',
  'a search whose expression takes years ends with a reason, and other searches run meanwhile',
  async () => {
    await using home = await makeHome();
    await writeFile(join(home.project, 'bait.txt'), `${'a'.repeat(60)}!\nneedle\n`);
    await using model = await startModel([
      {
        calls: [
          { name: 'search', args: { pattern: '(a+)+$' } },
          { name: 'search', args: { pattern: 'need.e' } },
          { name: 'search', args: { pattern: 'x', files: '{1..99999999}' } },
          { name: 'search', args: { pattern: '(' } },
        ],
      },
      { text: 'done' },
    ]);
    const words = ['chat', '--base-url', model.url, '--model', 'scripted', '-p', 'look', '--yes'];
    const { stdout, code } = await junctor(home, words);
    expect([stdout, code]).toEqual(['done\n', 0]);
    const answers = JSON.stringify(model.requests[1]?.body.messages);
    for (const said of [
      'Use a simpler pattern',
      'bait.txt:2:needle',
      "'files' takes names",
      'Invalid regular expression',
    ])
      expect(answers).toContain(said);
  },
);

promise('12.6e', 'a rule for one program does not allow its options that start another', async () => {
  await using home = await makeHome();
  await home.write('config/junctor/config.json', { version: 1, permissions: { allow: ['shell(command=git **)'] } });
  await using model = await startModel([
    {
      calls: [
        { name: 'shell', args: { command: 'git --version' } },
        { name: 'shell', args: { command: 'git -c alias.x=!id x' } },
        { name: 'shell', args: { command: 'git --exec-path=. status' } },
      ],
    },
    { text: 'done' },
  ]);
  const words = ['chat', '--base-url', model.url, '--model', 'scripted', '-p', 'work'];
  expect((await junctor(home, words)).stdout).toBe('done\n');
  const answers = ((model.requests[1]?.body.messages ?? []) as { role: string; content: string }[]).filter(
    ({ role }) => role === 'tool',
  );
  expect(answers.map(({ content }) => /git version|its options can start any other/.exec(content)?.[0])).toEqual([
    'git version',
    'its options can start any other',
    'its options can start any other',
  ]);
});
