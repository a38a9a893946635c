/** The config behind the servers: read again, or changed. */
import type { SlashCommand, SlashContext } from '../slash-command.ts';

export const mcpReload: SlashCommand = {
  name: 'mcp reload',
  summary: 'read the config again',
  run: (_words, context) => reload(context),
};

export const mcpEnable: SlashCommand = switchCommand('enable', true);
export const mcpDisable: SlashCommand = switchCommand('disable', false);

function switchCommand(verb: 'enable' | 'disable', enabled: boolean): SlashCommand {
  return {
    name: `mcp ${verb}`,
    usage: 'SERVER',
    summary: `switch a server ${enabled ? 'on' : 'off'}, in the project config`,
    takesServer: true,
    async run([id = ''], context) {
      await context.switchServer(id, enabled);
      await reload(context);
    },
  };
}

async function reload({ host, agent, say }: SlashContext): Promise<void> {
  const { added, removed, changed } = await host.reload();
  for (const id of [...added, ...changed]) {
    agent.away.delete(id);
    // Its state tells how it went.
    void host.collect(id).catch(() => {});
  }
  const news = Object.entries({ added, removed, changed }).flatMap(([what, ids]) =>
    ids.length > 0 ? [`${what} ${ids.join(', ')}`] : [],
  );
  say(news.length === 0 ? 'reloaded: nothing changed' : `reloaded: ${news.join('; ')}`);
}
