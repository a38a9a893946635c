/** Opening and closing a server by hand. */
import type { SlashCommand, SlashContext } from '../slash-command.ts';

export const mcpConnect: SlashCommand = {
  name: 'mcp connect',
  usage: 'SERVER',
  summary: 'connect a server',
  takesServer: true,
  run: ([id = ''], context) =>
    opened(id, context, async () => {
      await context.host.links.ready(id);
      await context.host.collect(id);
    }),
};

export const mcpReconnect: SlashCommand = {
  name: 'mcp reconnect',
  usage: 'SERVER',
  summary: 'connect a server again, whatever became of it',
  takesServer: true,
  run: ([id = ''], context) =>
    opened(id, context, async () => {
      await context.host.links.reconnect(id);
      context.host.invalidate(id);
      await context.host.collect(id);
    }),
};

export const mcpDisconnect: SlashCommand = {
  name: 'mcp disconnect',
  usage: 'SERVER',
  summary: 'end a server; its tools are gone until /mcp connect',
  takesServer: true,
  async run([id = ''], { host, agent, say }) {
    host.links.expect(id);
    agent.away.add(id);
    await host.links.close(id);
    say(`disconnected '${id}': its tools are gone until /mcp connect ${id}`);
  },
};

export const mcpAuth: SlashCommand = {
  name: 'mcp auth',
  usage: 'SERVER',
  summary: 'sign in to a server',
  takesServer: true,
  async run([id = ''], context) {
    context.host.links.expect(id);
    await context.signIn(id);
    await mcpReconnect.run([id], context);
  },
};

async function opened(id: string, { host, agent, say }: SlashContext, open: () => Promise<unknown>): Promise<void> {
  host.links.expect(id);
  agent.away.delete(id);
  await open();
  const count = host.toolCount(id);
  say(`connected '${id}': ${count === 1 ? '1 tool' : `${count} tools`}`);
}
