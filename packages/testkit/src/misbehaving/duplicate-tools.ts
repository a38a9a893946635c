/** Lists one name twice, with two meanings. */
import { serveList, toolNamed } from './wire.ts';

serveList(({ id }) => ({
  id,
  result: {
    tools: [
      { ...toolNamed('same'), description: 'the first' },
      toolNamed('other'),
      { ...toolNamed('same'), description: 'the second' },
    ],
  },
}));
