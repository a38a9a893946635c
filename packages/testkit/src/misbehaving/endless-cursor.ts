/** Has another page for ever, each under a cursor it never gave before. */
import { serveList, toolNamed } from './wire.ts';

let page = 0;
serveList(({ id }) => {
  page++;
  return { id, result: { tools: [toolNamed(`tool_${page}`)], nextCursor: `page-${page}` } };
});
