import { createHost, signOut } from '@junctor/core';
import { defineCommand } from '../../command.ts';
import { hostOptions } from '../../context.ts';
import { HubRest } from '../../hub/hub-rest.ts';

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
    // A hub on a database keeps its sign-ins there.
    const asked = new URLSearchParams({ all: String(all), ...(account !== undefined && { account }) });
    const hub = await HubRest.find(context);
    const there = await hub?.ask<{ removed: string[] }>(`/api/servers/${encodeURIComponent(server)}/sign-in?${asked}`, {
      method: 'DELETE',
    });
    removed.push(...(there?.removed ?? []));
    context.answer({
      json: { server, removed },
      text: removed.length > 0 ? `signed out of ${removed.join(', ')}` : `nobody was signed in to '${server}'`,
    });
  },
});
