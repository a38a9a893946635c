/** Changes its tools while it is asked for them: the first time only, or `--always`. */
import { say, serveList, toolNamed } from './wire.ts';

const always = process.argv.includes('--always');
let lists = 0;
serveList(({ id }) => {
  lists++;
  const result = { tools: [toolNamed(`version_${lists}`)] };
  if (lists === 1 || always) say({ method: 'notifications/tools/list_changed' });
  return { id, result };
});
