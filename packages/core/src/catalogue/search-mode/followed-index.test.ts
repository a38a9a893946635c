import { setImmediate as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FollowedIndex } from './followed-index.ts';
import { SearchedTool } from './searched-tool.ts';

function toolsOf(server: string, count: number): SearchedTool[] {
  return Array.from({ length: count }, (_, at) => {
    const definition = {
      name: `read_note_${at}`,
      description: `Reads the note number ${at} of a person.`,
      inputSchema: { type: 'object' as const },
    };
    return new SearchedTool({ server, tool: definition.name, definition }, `${server}_${definition.name}`);
  });
}

test('other work goes on while thousands of tools are indexed', async () => {
  const index = new FollowedIndex();
  let found: readonly { tool: string }[] | undefined;
  const searching = index.search(toolsOf('notes', 2000), 'read_note_1999', 1).then(best => {
    found = best;
  });
  let turns = 0;
  for (; found === undefined; turns++) await pause();
  await searching;
  expect(found).toMatchObject([{ tool: 'read_note_1999' }]);
  expect(turns).toBeGreaterThan(20);
});

test('searches over other tools do not meet, though one index serves all', async () => {
  const index = new FollowedIndex();
  const sets = [toolsOf('one', 300), toolsOf('two', 10), [...toolsOf('one', 5), ...toolsOf('two', 500)]];
  const answers = await Promise.all(sets.map(tools => index.search(tools, 'note', 1000)));
  const servers = answers.map(best => [...new Set(best.map(({ server }) => server))].sort());
  expect(servers).toEqual([['one'], ['two'], ['one', 'two']]);
});
