/** The config behind the servers: read again, or changed. */
import type { Host, ServerChanges } from '@junctor/core';
import { configNotes, newNotes } from '../../config-notes.ts';
import type { Agent } from '../../conversation.ts';
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
  const before = { notes: configNotes(host), waiting: waitingOf(host) };
  const changes = await host.reload();
  const news = [...followReload(host, agent, changes), ...newlyWaiting(host, before.waiting)];
  say(
    [
      news.length === 0 ? 'reloaded: nothing changed' : `reloaded: ${news.join('; ')}`,
      ...newNotes(before.notes, host),
    ].join('\n'),
  );
}

/** Takes what a reload changed into use, and says it. */
export function followReload(host: Host, agent: Pick<Agent, 'away'>, changes: ServerChanges): string[] {
  const { added, removed, changed } = changes;
  for (const id of [...added, ...changed]) {
    agent.away.delete(id);
    // Its state tells how it went.
    void host.collect(id).catch(() => {});
  }
  return Object.entries({ added, removed, changed }).flatMap(([what, ids]) =>
    ids.length > 0 ? [`${what} ${ids.join(', ')}`] : [],
  );
}

export function waitingOf(host: Host): string[] {
  return host.resolution.leftOut.filter(({ kind }) => kind === 'waiting').map(({ id }) => id);
}

/** A server that came with the project is not used before a person approves it: that must not look as if nothing came. */
export function newlyWaiting(host: Host, before: readonly string[]): string[] {
  const ids = waitingOf(host).filter(id => !before.includes(id));
  return ids.length === 0 ? [] : [`waiting for approval: ${ids.join(', ')} (junctor trust add ${ids.join(' ')})`];
}
