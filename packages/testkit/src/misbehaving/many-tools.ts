/** Lists 10,000 tools at once, or with `--heavy` ten whose descriptions are a megabyte each. */
import { sayText, serveList, toolNamed } from './wire.ts';

const heavy = process.argv.includes('--heavy');
const tools = Array.from({ length: heavy ? 10 : 10_000 }, (_, number) => ({
  ...toolNamed(`tool_${number}`),
  description: heavy ? 'long '.repeat(200_000) : `Does what number ${number} does.`,
}));
serveList(
  ({ id }) => ({ id, result: { tools } }),
  ({ id, params }) => sayText(id, `called ${params?.name}`),
);
