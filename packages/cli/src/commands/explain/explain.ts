import { JunctorError } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { explainServerTo } from './server.ts';
import { explainToolTo } from './tool.ts';
import { FACT_OPTIONS } from './tool-facts.ts';

export const explain = defineCommand({
  options: FACT_OPTIONS,
  details: `explain fs: which layer, file and line set each field of the server, and what that hid.
explain fs/write_file: why that tool is offered, deferred or hidden, and why a call is allowed, asked about or denied.`,
  async run(context, { options, words }) {
    const [what = ''] = words;
    const slash = what.indexOf('/');
    if (slash < 0) return explainServerTo(context, what, options);
    const [server, tool] = [what.slice(0, slash), what.slice(slash + 1)];
    if (server === '' || tool === '')
      throw new JunctorError('usage', `'${what}' names no server and tool.`, { hint: 'junctor explain SERVER/TOOL' });
    return explainToolTo(context, { server, tool }, options);
  },
});
