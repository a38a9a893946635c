import { visibleText } from '@junctor/core/light';
import { defineCommand } from '../command.ts';
import { HubRest } from '../hub/hub-rest.ts';
import { wholeNumber } from '../number-option.ts';
import { shownTime } from '../output/shown-time.ts';
import { table, tableOfProjects } from '../output/table.ts';

interface SessionEntry {
  readonly id: string;
  readonly agent: string | null;
  readonly server: string | null;
  readonly project: string | null;
  readonly client: string;
  readonly protocol: string;
  readonly opened: string;
  readonly seen: string;
  readonly closed: string | null;
  readonly connected: boolean;
  readonly servers: readonly {
    readonly server: string;
    readonly called: string | null;
    readonly listed: string | null;
  }[];
}

interface InstanceEntry {
  readonly server: string;
  readonly mode: string;
  readonly state: string;
  readonly calls: number;
  readonly sessions: readonly { readonly id: string; readonly client: string }[];
}

export const sessions = defineCommand({
  options: {
    agent: { value: 'ID', help: 'only sessions of this agent' },
    all: { help: 'show sessions whose client is gone, too, newest first' },
    limit: { value: 'NUMBER', help: 'at most so many (default: 100)' },
  },
  details: `Below the sessions stands what runs of each server, and which sessions share it. The hub that runs on this data
directory is asked.`,
  async run(context, { options: { agent, all, limit } }) {
    const atMost = wholeNumber('limit', limit);
    const hub = await HubRest.open(context);
    const query = new URLSearchParams({
      ...(agent === undefined ? {} : { agent }),
      ...(atMost === undefined ? {} : { limit: String(atMost) }),
      ...(all ? {} : { open: 'true' }),
    });
    const found = await hub.ask<{ sessions: readonly SessionEntry[] }>(`/api/sessions?${query}`);
    const { instances } = await hub.ask<{ instances: readonly InstanceEntry[] }>('/api/instances');
    const shown = all ? found.sessions : found.sessions.filter(({ connected }) => connected);
    const quiet = found.sessions.length - shown.length;
    const none = all ? 'no client was here yet' : 'no client is connected';
    context.answer({
      json: { sessions: shown, instances },
      text: [
        shown.length > 0 ? sessionTable(shown) : none,
        ...(quiet > 0 ? [`${quiet} more not seen for a minute, and maybe gone: --all shows them`] : []),
        ...(instances.length > 0 ? ['', instanceTable(instances)] : []),
      ].join('\n'),
    });
    return 0;
  },
});

function sessionTable(rows: readonly SessionEntry[]): string {
  return tableOfProjects(
    ['SESSION', 'DOOR', 'CLIENT', 'PROTOCOL', 'OPENED', 'SEEN', 'CALLED'],
    rows.map(({ id, agent, server, project, client, protocol, opened, seen, closed, connected, servers }) => ({
      project,
      cells: [
        short(id),
        agent ?? `server ${server}`,
        visibleText(client) || '-',
        protocol || '-',
        shownTime(opened),
        connected ? 'now' : `${shownTime(seen)}${closed === null ? '' : ', over'}`,
        servers.flatMap(one => (one.called === null ? [] : [one.server])).join(', ') || '-',
      ],
    })),
  );
}

function instanceTable(rows: readonly InstanceEntry[]): string {
  return table(
    ['SERVER', 'MODE', 'STATE', 'CALLS', 'SESSIONS'],
    rows.map(({ server, mode, state, calls, sessions: users }) => [
      server,
      mode,
      state,
      String(calls),
      users.map(({ id }) => short(id)).join(', ') || '-',
    ]),
  );
}

/** Enough to tell two apart; --json has all of it. */
function short(id: string): string {
  return id.replace(/^client-/, '').slice(0, 8);
}
