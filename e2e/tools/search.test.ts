import { type Home, junctor, makeHome, misbehaving, promise } from '@junctor/testkit';
import { startAuthority } from '@junctor/testkit/authority';
import { describe, expect, test } from 'vitest';
import { type Listed, listing, tool } from './listing.ts';

const FORGE: readonly Listed[] = [
  tool('create_issue', { description: 'Open a new issue in a repository.' }),
  tool('search', { description: 'Find code, issues and pull requests by words.' }),
  tool('merge_pull_request', { description: 'Merge a pull request into its base branch.' }),
];
const OFFICE: readonly Listed[] = [
  tool('send_mail', { description: 'Send an e-mail to one or several people.' }),
  tool('find', { description: 'create_issue search merge_pull_request: words that others are named by.' }),
];

async function houseWith(home: Home, more: object = {}): Promise<void> {
  const servers = {
    forge: await listing(home, 'forge', FORGE),
    office: await listing(home, 'office', OFFICE),
    ...more,
  };
  await home.write('config/junctor/config.json', { version: 1, servers });
}

/** The tools of both, as a file. */
function catalogue(home: Home): Promise<string> {
  const tools = [
    ...FORGE.map(one => ({ ...one, server: 'forge' })),
    ...OFFICE.map(one => ({ ...one, server: 'office' })),
  ];
  return home.write('catalogue.json', { tools });
}

const namesIn = (stdout: string): string[] =>
  stdout
    .trimEnd()
    .split('\n')
    .slice(1)
    .map(line => line.split(' ')[0] as string);

describe('junctor search', () => {
  promise(['8.13a', '8.13b'], 'prints the tools that fit, best first, and no more than asked for', async () => {
    await using home = await makeHome();
    await houseWith(home);
    const pulls = await junctor(home, ['search', 'merging', 'pull', 'requests']);
    expect([pulls.code, pulls.stderr]).toEqual([0, '']);
    expect(namesIn(pulls.stdout)[0]).toBe('mcp__forge__merge_pull_request');
    expect(namesIn(pulls.stdout).length).toBeGreaterThan(1);
    expect(pulls.stdout).toContain('Merge a pull request into its base branch.');
    const one = await junctor(home, ['search', '-k', '1', 'merging pull requests']);
    expect(namesIn(one.stdout)).toEqual(['mcp__forge__merge_pull_request']);
    const { tools } = JSON.parse((await junctor(home, ['search', '-k2', 'merging pull requests', '--json'])).stdout);
    expect(tools).toHaveLength(2);
    expect(tools[0]).toEqual({
      name: 'mcp__forge__merge_pull_request',
      server: 'forge',
      tool: 'merge_pull_request',
      score: expect.any(Number),
      description: 'Merge a pull request into its base branch.',
    });
    expect(tools[0].score).toBeGreaterThan(tools[1].score);
    expect((await junctor(home, ['search', 'zebra'])).stdout).toBe('no tool fits: 5 tools searched\n');
  });

  promise('7.9d', 'finds a tool by its exact name first, in every form of the name', async () => {
    await using home = await makeHome();
    await houseWith(home);
    for (const name of ['search', 'forge/search', 'forge_search', 'mcp__forge__search', 'search@forge']) {
      const { stdout } = await junctor(home, ['search', name, '--json']);
      expect(JSON.parse(stdout).tools[0]).toMatchObject({ server: 'forge', tool: 'search', score: 1 });
    }
  });

  test('finds what is said in other words', async () => {
    await using home = await makeHome();
    const tools = [
      { server: 'health', name: 'book', description: 'Make an appointment with a doctor.' },
      { server: 'music', name: 'play', description: 'Plays a song.' },
    ];
    const file = await home.write('catalogue.json', { tools });
    const { stdout } = await junctor(home, ['search', 'physician', '--catalogue', file]);
    expect(namesIn(stdout)).toEqual(['health/book']);
  });

  test('names the servers it could not search, and why', async () => {
    await using home = await makeHome();
    await using authority = await startAuthority();
    await houseWith(home, {
      guarded: { transport: 'http', url: authority.mcpUrl },
      gone: { transport: 'stdio', command: 'no-such-program' },
      slow: misbehaving('never-answers'),
    });
    const found = await junctor(home, ['search', 'send a mail', '--wait', '8', '--json']);
    const { tools, failed, connecting } = JSON.parse(found.stdout);
    expect(tools[0]).toMatchObject({ server: 'office', tool: 'send_mail' });
    expect(connecting).toEqual(['slow']);
    expect(failed).toMatchObject([
      { server: 'guarded', code: 'auth_required', hint: 'junctor mcp login guarded' },
      { server: 'gone', code: 'command_not_found' },
    ]);
    expect(found.stderr).toContain("note: MCP server 'slow' is still connecting");
  });

  test('is told what is wrong with the line', async () => {
    await using home = await makeHome();
    const file = await catalogue(home);
    const lines = [
      ['search'],
      ['search', 'x', '--jsonl'],
      ['search', 'x', '-k', '0'],
      ['search', 'x', '--catalogue', 'nowhere.json'],
      ['search', 'x', '--catalogue', await home.write('bad.json', { tools: [{ name: 'x' }] })],
      ['search', '--eval', file, '--catalogue', file],
    ];
    const outcomes = await Promise.all(lines.map(words => junctor(home, words)));
    expect(outcomes.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2]);
    for (const { stderr } of outcomes) expect(stderr).toMatch(/^error: .+\.\s\(usage\)\n/);
  });
});

describe('junctor search --jsonl', () => {
  promise(['8.13c', '8.13d'], 'answers every line that it reads with one line, in order', async () => {
    await using home = await makeHome();
    const file = await catalogue(home);
    const asked = [
      { id: 'a', query: 'open an issue', k: 1 },
      { id: 2, query: 'e-mail to my people', k: 3 },
      { id: 'c', query: 'search' },
      { id: 'none', query: '?!', k: 5 },
    ];
    const input = [...asked.map(line => JSON.stringify(line)), 'no json', '{"id":"k","query":"x","k":-1}', '3', ''];
    const { code, stdout, stderr } = await junctor(home, ['search', '--catalogue', file, '--jsonl'], {
      input: `${input.join('\n')}\n`,
    });
    expect([code, stderr]).toEqual([0, '']);
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(answers.slice(0, 2)).toEqual([
      { id: 'a', ranked: ['forge/create_issue'] },
      { id: 2, ranked: expect.arrayContaining(['office/send_mail']) },
    ]);
    expect(answers[1].ranked[0]).toBe('office/send_mail');
    expect(answers[2]).toMatchObject({ id: 'c', ranked: expect.arrayContaining(['forge/search', 'office/find']) });
    expect(answers[2].ranked[0]).toBe('forge/search');
    expect(answers.slice(3)).toEqual([
      { id: 'none', ranked: [] },
      { id: null, ranked: [], error: expect.stringContaining('not JSON') },
      { id: 'k', ranked: [], error: expect.stringContaining("'k'") },
      { id: null, ranked: [], error: expect.stringContaining('no object') },
      { id: null, ranked: [], error: expect.stringContaining('not JSON') },
    ]);
  });
});

describe('junctor search --eval', () => {
  const queries = [
    { id: '1', text: 'create_issue', relevant: ['forge/create_issue'] },
    { id: '2', text: 'merge pull requests', relevant: ['forge/merge_pull_request', 'gone/away'] },
    { id: '3', text: 'find', relevant: ['forge/search', 'office/find'], anyOf: [['forge/search', 'office/find']] },
    { id: '4', text: 'zebra', relevant: ['office/send_mail'] },
  ];

  promise(['8.13e', '7.9f'], 'measures recall on a catalogue of servers, and on one in a file', async () => {
    await using home = await makeHome();
    await houseWith(home);
    const file = await home.write('queries.json', { queries });
    const own = await junctor(home, ['search', '--eval', file, '--json']);
    expect(own.code).toBe(0);
    expect(JSON.parse(own.stdout)).toEqual({
      tools: 5,
      queries: 4,
      'recall@1': (1 + 0.5 + 1 + 0) / 4,
      'recall@3': (1 + 0.5 + 1 + 0) / 4,
      'recall@5': (1 + 0.5 + 1 + 0) / 4,
      'recall@10': (1 + 0.5 + 1 + 0) / 4,
      mrr: 3 / 4,
      'ndcg@5': (1 + 1 / (1 + 1 / Math.log2(3)) + 1 + 0) / 4,
      unknown: ['gone/away'],
      missed: [
        { ...queries[1], ranked: expect.arrayContaining(['forge/merge_pull_request']) },
        { ...queries[3], ranked: [] },
      ],
    });
    expect(own.stderr).toBe('warning: the queries need tools that are not in the catalogue: gone/away\n');
    const inFile = await junctor(home, ['search', '--eval', file, '--catalogue', await catalogue(home)]);
    expect(inFile.stdout).toBe(
      [
        'TOOLS  QUERIES  RECALL@1  RECALL@3  RECALL@5  RECALL@10  MRR    NDCG@5',
        '5      4        0.625     0.625     0.625     0.625      0.750  0.653',
        '',
      ].join('\n'),
    );
  });
});
