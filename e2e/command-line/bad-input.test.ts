/** What people mistype in trust, lock, validate and explain is told with what they meant, or what to do. */
import { type Home, junctor, makeHome, testServer } from '@junctor/testkit';
import { expect, test } from 'vitest';

const USER = 'config/junctor/config.json';

async function said(home: Home, ...words: string[]): Promise<string> {
  const { code, stderr, stdout } = await junctor(home, words);
  return `${code} ${stderr}${stdout}`;
}

test('an id is looked for the same way by every command that takes one', async () => {
  await using home = await makeHome();
  await home.write(USER, { servers: { demo: testServer(), broken: { transport: 'stdio' } } });
  for (const words of [['explain'], ['trust', 'add'], ['mcp', 'get']]) {
    expect(await said(home, ...words, 'Dem')).toMatch(
      /^1 error: There is no server 'Dem'.*\n.*\n.*did you mean 'demo'\?/,
    );
  }
  const wrong =
    /^1 error: Server 'broken' is written wrongly, and left out\. \(config_invalid\)\n {2}why: .*config\.json:\d+:\d+ servers\.broken\.command: Missing 'command'/;
  for (const words of [['explain'], ['trust', 'add'], ['mcp', 'get'], ['mcp', 'tools'], ['mcp', 'test']])
    expect(await said(home, ...words, 'broken')).toMatch(wrong);
  expect(await said(home, 'explain', 'broken/x')).toMatch(wrong);
  for (const name of ['mcp__demo__echo', 'demo_echo'])
    expect(await said(home, 'explain', name)).toContain('it looks like the name of a tool: junctor explain demo/echo');
  expect(await said(home, 'explain', 'demo', '--agent', 'codx')).toContain("2 error: There is no agent 'codx'.");
  expect(await said(home, 'explain', 'demo', '--agent')).toContain('2 error: --agent needs a value. (usage)');
  expect(await said(home, 'explain', 'demo', '--fresh=1')).toContain('2 error: --fresh takes no value. (usage)');
});

test('what needs no approval is not approved, and approved rules can be taken back', async () => {
  await using home = await makeHome();
  await home.write(USER, { servers: { mine: testServer() } });
  await home.write('project/junctor.json', {
    servers: { theirs: testServer() },
    permissions: { allow: ['mcp__theirs__*'] },
  });
  const added = await said(home, 'trust', 'add', 'mine', 'theirs', '--rules');
  expect(added).toContain("'mine' needs no approval: it stands in the user layer");
  expect(added).toContain('approved theirs, allow mcp__theirs__*\n');
  expect(await said(home, 'trust', 'remove')).toContain(
    "2 error: 'junctor trust remove' needs an ID, ID/TOOL or --rules.",
  );
  expect(await said(home, 'trust', 'remove', '--rules')).toBe('0 withdrew the approval of the rules\n');
  expect(await said(home, 'trust', 'list')).toMatch(/theirs +approved(.|\n)*\(rules\) +waiting/);
});

test('a broken lockfile says how to get a good one, never only to remove it', async () => {
  await using home = await makeHome();
  await home.write('project/junctor.json', { servers: { demo: testServer() } });
  await junctor(home, ['trust', 'add', 'demo']);
  const mend = 'take it from version control again, or remove it and write a new one: junctor lock\n';
  for (const [text, wrong] of [
    ['', 'junctor.lock:1:1: The file is empty.'],
    ['{"version":1}', 'servers: The lockfile is not as Junctor writes it: it is missing.'],
    ['{"version":1,"servers":[]}', 'Invalid input: expected record, found array.'],
  ] as const) {
    await home.write('project/junctor.lock', text);
    expect(await said(home, 'mcp', 'tools', 'demo')).toMatch(
      new RegExp(`^1 .*${RegExp.escape(wrong)}.*\\n  try: ${mend}`),
    );
    expect(await said(home, 'lock', 'diff')).toContain(wrong);
  }
});

test('a file that cannot be read hides no other from validate', async () => {
  await using home = await makeHome();
  await home.write('project/good.json', { version: 1, servers: {} });
  await home.write('project/cut.json', '{"servers": {"a": ');
  await home.write('project/types.json', {
    version: 2,
    log: 'warn',
    defaults: { debug: 'yes', connect_timeout_ms: '5' },
  });
  const out = await said(home, 'validate', 'good.json', 'gone.json', 'cut.json', 'types.json');
  expect(out).toMatch(/^1 /);
  expect(out).toContain('good.json: valid');
  expect(out).toContain('gone.json: The file cannot be read: ENOENT');
  expect(out).toContain('Check the path: no such file exists.');
  expect(out.match(/cut\.json:1:.*value expected at the end/g)).toHaveLength(1);
  expect(out.match(/cut\.json:1:/g)).toHaveLength(1);
  expect(out).toContain('version: This must be 1. Found 2. Write 1.');
  expect(out).toContain('log: This must be an object. Found "warn". Write { … } there.');
  expect(out).toContain(
    'defaults.debug: This must be true or false. Found "yes". Write true or false, without quotes.',
  );
  expect(out).toContain('connect_timeout_ms: This must be a number. Found "5". Write a number, without quotes.');
});

test('what cannot be meant is used wrongly, whether or not a hub or a model is there', async () => {
  await using home = await makeHome();
  expect(await said(home, 'calls', '--since', 'yesterday')).toContain(
    "2 error: --since cannot be 'yesterday'. (usage)",
  );
  expect(await said(home, 'calls', '--outcome', 'well')).toContain("2 error: --outcome cannot be 'well'. (usage)");
  expect(await said(home, 'sessions', '--limit', 'all')).toContain("2 error: --limit cannot be 'all'. (usage)");
  // An option that may stand without its value is followed by another, short or long.
  expect(await said(home, 'chat', '--resume', '-p', '')).toContain('2 error: There is nothing to answer');
});
