import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { identityHash, publicNames } from '../naming/public-names.ts';
import { NAMING_STRATEGIES, type NamingStrategy } from '../naming/strategy.ts';
import { type SearchableTool, ToolIndex } from './tool-index.ts';
import { wordVectorsOnDemand } from './word-vectors-file.ts';

const tool = (server: string, name: string, description = '', inputSchema?: unknown): SearchableTool => ({
  server,
  tool: name,
  description,
  inputSchema,
});

function indexOf(...tools: SearchableTool[]): ToolIndex {
  const index = new ToolIndex();
  for (const [server, list] of Map.groupBy(tools, one => one.server)) index.setServer(server, list);
  return index;
}

const found = (index: ToolIndex, query: string, limit = 10): string[] =>
  index.search(query, limit).map(({ server, tool: name }) => `${server}/${name}`);

const OFFICE = [
  tool('github', 'create_issue', 'Create a new issue in a repository.'),
  tool('github', 'listPullRequests', 'List the pull requests of a repository.'),
  tool('files', 'read_file', 'Read the contents of a file.', {
    properties: { encoding: { type: 'string', description: 'How its characters are written, such as latin1.' } },
  }),
  tool('files', 'read', 'Read the contents of a file, create an issue, and list pull requests of a repository.'),
  tool('weather', 'forecast', 'Tells tomorrow’s weather.'),
];

describe('a query', () => {
  test.each([
    ['open pull requests', 'github/listPullRequests'],
    ['issues that were created', 'github/create_issue'],
    ['latin1', 'files/read_file'],
    ['encodings', 'files/read_file'],
    ['tomorrow', 'weather/forecast'],
    ['GitHub', 'github/create_issue'],
  ])('%j finds %s first', (query, best) => {
    expect(found(indexOf(...OFFICE), query)[0]).toBe(best);
  });

  test('finds words of scripts without spaces, and words with and without accents', () => {
    const index = indexOf(tool('jp', '天気', '明日の天気予報を調べる'), tool('fr', 'meteo', 'La météo de demain.'));
    expect(found(index, '天気予報')).toEqual(['jp/天気']);
    expect(found(index, 'Météo')).toEqual(['fr/meteo']);
    expect(found(index, 'METEO')).toEqual(['fr/meteo']);
  });

  test.each(['', ' ', '?!…', '\0', '\ud800', 'the of to'])('%j finds nothing', query => {
    expect(found(indexOf(...OFFICE), query)).toEqual([]);
  });

  test('gets no more than it asks for', () => {
    const index = indexOf(...OFFICE);
    expect([2, 1, 0, -1, Number.NaN, 1.9].map(limit => found(index, 'repository', limit).length)).toEqual([
      2, 1, 0, 0, 0, 1,
    ]);
  });
});

describe('words near in meaning', () => {
  const tools = [
    tool('health', 'book', 'Make an appointment with a doctor.'),
    tool('sports', 'results', 'Results of football matches.'),
    tool('music', 'play', 'Plays a song.'),
  ];
  const indexed = (vectors?: ConstructorParameters<typeof ToolIndex>[0]) => {
    const index = new ToolIndex(vectors);
    for (const one of tools) index.setServer(one.server, [one]);
    return index;
  };

  test('are found with vectors, and not without', () => {
    const index = indexed(wordVectorsOnDemand());
    expect(['physician', 'soccer'].map(query => found(index, query)[0])).toEqual(['health/book', 'sports/results']);
    expect(found(indexed(), 'physician')).toEqual([]);
  });

  test('are those of the tools as they are now', () => {
    const index = indexed(wordVectorsOnDemand());
    expect(found(index, 'soccer')[0]).toBe('sports/results');
    index.setServer('sports', [tool('sports', 'results', 'Results of tennis matches.')]);
    index.setServer('clubs', [tool('clubs', 'list', 'Lists football clubs.')]);
    expect(found(index, 'soccer')[0]).toBe('clubs/list');
  });

  test('never come before a tool that has the word itself', () => {
    const index = indexed(wordVectorsOnDemand());
    index.setServer('other', [tool('other', 'soccer', 'Something about soccer.')]);
    expect(found(index, 'soccer')[0]).toBe('other/soccer');
  });

  test('are not asked for before a search, and only once', () => {
    let asked = 0;
    const vectors = wordVectorsOnDemand();
    const index = indexed(() => {
      asked++;
      return vectors();
    });
    expect(asked).toBe(0);
    expect(vectors()).toBe(vectors());
    found(index, 'soccer');
    expect(asked).toBe(1);
  });
});

describe('the exact name of a tool', () => {
  test.each(Object.keys(NAMING_STRATEGIES) as NamingStrategy[])('in the form %s comes first', strategy => {
    const index = indexOf(...OFFICE);
    for (const one of OFFICE) {
      const [name] = publicNames([one], strategy);
      expect(index.search(name as string, 3)[0]).toEqual({ server: one.server, tool: one.tool, score: 1 });
    }
  });

  test.each([
    ['create_issue', 'github/create_issue'],
    ['create issue', 'github/create_issue'],
    ['github/create_issue', 'github/create_issue'],
    ['mcp__junctor__github_create_issue', 'github/create_issue'],
    ['list_pull_requests', 'github/listPullRequests'],
    ['read', 'files/read'],
  ])('written as %j comes first', (query, best) => {
    expect(found(indexOf(...OFFICE), query)[0]).toBe(best);
  });

  test('letter for letter leaves those out that are only alike', () => {
    const index = indexOf(tool('a_b', 'c'), tool('a', 'b_c'), tool('x', '__'), tool('x', '_'));
    expect(found(index, 'a/b_c')[0]).toBe('a/b_c');
    expect(found(index, '__')).toEqual(['x/__']);
  });

  test('is known by its hash where it was cut', () => {
    const long = tool('files', 'x'.repeat(300));
    const [name] = publicNames([long], 'server_tool');
    expect(name).toMatch(new RegExp(`${identityHash(long)}$`));
    expect(found(indexOf(long, ...OFFICE), name as string)[0]).toBe(`files/${long.tool}`);
  });

  test('is never passed by another tool, whatever the tools are', () => {
    const part = fc.string({ minLength: 1, maxLength: 12 });
    const any = fc.uniqueArray(fc.record({ server: part, tool: part, description: fc.lorem() }), {
      selector: one => `${one.server}\0${one.tool}`,
      minLength: 1,
    });
    fc.assert(
      fc.property(any, tools => {
        const index = indexOf(...tools);
        for (const { tool: name } of tools) {
          if (name.trim() === name) expect(index.search(name, 1)).toMatchObject([{ tool: name, score: 1 }]);
        }
      }),
    );
  });
});

describe('the tools of a server', () => {
  test('are found as they are now', () => {
    const index = indexOf(...OFFICE);
    index.setServer('github', [tool('github', 'create_issue', 'Opens a ticket.'), tool('github', 'star')]);
    expect(found(index, 'ticket')).toEqual(['github/create_issue']);
    expect(found(index, 'star')).toEqual(['github/star']);
    expect(found(index, 'listPullRequests')).toEqual(['files/read']);
    index.dropServer('files');
    index.dropServer('nobody');
    expect(found(index, 'listPullRequests')).toEqual([]);
  });

  test('keep their order where they are equals, whatever was there before', () => {
    const equals = ['read', 'send', 'write'].map(name => tool('a', name, `Massa ${name}.`));
    const index = indexOf(...equals.map(one => ({ ...one, description: 'Sit.' })));
    index.setServer('a', equals);
    expect(found(index, 'massa')).toEqual(found(indexOf(...equals), 'massa'));
    expect(index.search('massa', 3)).toEqual(indexOf(...equals).search('massa', 3));
  });

  test('are ranked the same however they came to be there', () => {
    const server = fc.constantFrom('a', 'b', 'c');
    const list = fc.array(fc.record({ tool: fc.constantFrom('read', 'write', 'send'), description: fc.lorem() }));
    fc.assert(
      fc.property(fc.array(fc.tuple(server, list), { maxLength: 8 }), fc.lorem(), (changes, query) => {
        const index = new ToolIndex();
        const last = new Map<string, SearchableTool[]>();
        for (const [id, tools] of changes) {
          const own = tools.map(one => ({ ...one, server: id }));
          index.setServer(id, own);
          last.set(id, own);
        }
        const fresh = new ToolIndex();
        for (const [id, tools] of last) fresh.setServer(id, tools);
        const sorted = (one: ToolIndex) =>
          one.search(query, 100).toSorted((a, b) => `${a.server}/${a.tool}`.localeCompare(`${b.server}/${b.tool}`));
        const scores = (one: ToolIndex) => sorted(one).map(hit => ({ ...hit, score: hit.score.toFixed(6) }));
        expect(scores(index)).toEqual(scores(fresh));
      }),
    );
  });
});

describe('texts of strangers', () => {
  const deep = (): unknown => {
    let schema: object = {};
    for (let depth = 0; depth < 20_000; depth++) schema = { properties: { x: schema }, items: schema };
    return schema;
  };

  test.each([
    ['a long word', 'x'.repeat(2_000_000)],
    ['capitals', 'A'.repeat(1_000_000)],
    ['signs', '/\\"\'<>.-'.repeat(100_000)],
    ['ligatures', '\ufdfa'.repeat(100_000)],
    ['half characters', '\ud83d'.repeat(100_000)],
    ['many words', Array.from({ length: 100_000 }, (_, at) => `word${at}`).join(' ')],
    ['greetings', 'can you please '.repeat(20_000)],
  ])('%s as query and as description do no harm', (_, text) => {
    const index = indexOf(...OFFICE, tool('bad', 'bad', text), tool('bad', text, text, { properties: { [text]: {} } }));
    index.search(text, 5);
    expect(found(index, 'create an issue in a repository')[0]).toBe('github/create_issue');
  });

  test.each([
    ['deep', deep()],
    ['wide', { properties: Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`p${at}`, {}])) }],
    ['wrong', { properties: { a: null, b: 3, c: { enum: [1, null], description: 4 } }, anyOf: 'x' }],
    ['null', null],
    ['a list', [1]],
  ])('a schema that is %s does no harm', (_, schema) => {
    expect(found(indexOf(...OFFICE, tool('bad', 'bad', 'Bad.', schema)), 'tomorrow')).toEqual(['weather/forecast']);
  });

  test('never make a search throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, query) => {
        const index = indexOf(tool(text, text, text, { properties: { [text]: { description: text } } }), ...OFFICE);
        expect(index.search(query, 3).length).toBeLessThanOrEqual(3);
      }),
    );
  });
});
