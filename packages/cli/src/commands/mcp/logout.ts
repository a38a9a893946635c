import { createHost, signOut } from '@junctor/core';
import { defineCommand } from '../../command.ts';
import { hostOptions } from '../../context.ts';
import { signOutOfHub } from '../../hub/hub-sign-ins.ts';

export const mcpLogout = defineCommand({
  options: {
    account: { value: 'NAME', help: 'sign out of this account only' },
    all: { help: 'sign out of every account of this server' },
  },
  async run(context, { options, words }) {
    const server = words[0] as string;
    await using host = await createHost(hostOptions(context));
    const { account, all } = options;
    const removed = await signOut(host, server, { all, ...(account !== undefined && { account }) });
    removed.push(...(await signOutOfHub(context, server, { all, account })));
    context.answer({
      json: { server, removed },
      text: removed.length > 0 ? `signed out of ${removed.join(', ')}` : `nobody was signed in to '${server}'`,
    });
  },
});
