import { resolve } from 'node:path';
import { createHost } from '@junctor/core';
import { recordServer } from '@junctor/core/internal';
import { defineCommand } from '../command.ts';
import { hostOptions } from '../context.ts';

export const record = defineCommand({
  details: `Give this command to an agent, or to any MCP client, in place of the server: it passes everything on, and adds what
both sides say to FILE, secrets masked. The recording ends when the client does. Nobody is asked about calls: that is the
client's own business. Rules that deny count, and so do tools that the config leaves out or the server does not list.

example: junctor record demo demo.jsonl`,
  async run(context, { words }) {
    const [server, name] = words as [string, string];
    const file = resolve(context.surroundings.cwd, name);
    await using host = await createHost({ ...hostOptions(context), connect: 'lazy' });
    const { stdin: input, stdout: output } = process;
    const { messages, lost } = await recordServer(host, server, { file, input, output, signal: context.signal });
    context.talk(`recorded ${messages} messages of server '${server}' in ${file}`);
    if (lost) throw lost;
    return 0;
  },
});
