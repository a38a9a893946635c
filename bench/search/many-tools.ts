/** A catalogue as large as anyone's, with words spread as in real ones: a few in every tool, most in few. */
import type { SearchableTool } from '../../packages/core/src/catalogue/search/tool-index.ts';

const ENDINGS = ['ing', 'er', 'ic', 'al', 'ix', 'on', 'ure', 'ist'];

export function manyTools(servers: number, toolsEach: number): SearchableTool[] {
  let seed = 7;
  const random = (): number => {
    seed = (seed * 1_664_525 + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  const word = (): string => {
    const rank = Math.floor(8000 ** random());
    return `${rank.toString(36)}word${ENDINGS[rank % ENDINGS.length]}`.replace(/\d/g, 'q');
  };
  const text = (words: number): string => Array.from({ length: words }, word).join(' ');
  return Array.from({ length: servers * toolsEach }, (_, number) => ({
    server: `server-${Math.floor(number / toolsEach)}`,
    tool: `${word()}_${word()}_${number}`,
    description: `${text(14)}. ${text(10)}.`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 4 }, (_, at) => [`${word()}_${at}`, { type: 'string', description: text(8) }]),
      ),
      required: [],
    },
  }));
}
