/** What was allowed for always at the hub. What was allowed to the library and the commands is shown by `junctor trust`. */
import { visibleText } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { HubRest } from '../../hub/hub-rest.ts';
import { table } from '../../output/table.ts';

interface GrantEntry {
  readonly id: string;
  readonly server: string;
  readonly tool: string;
  readonly agent: string | null;
  readonly when: string | null;
  readonly file: string | null;
  readonly granted_at: string;
}

export const approvalsGrants = defineCommand({
  details: 'Take one back, so that its tool is asked about again: junctor approvals revoke ID',
  async run(context, { words: [server] }) {
    const hub = await HubRest.open(context);
    const query = server === undefined ? '' : `?${new URLSearchParams({ server })}`;
    const { grants } = await hub.ask<{ grants: readonly GrantEntry[] }>(`/api/grants${query}`);
    const rows = grants.map(({ id, server, tool, agent, when, file, granted_at }) => [
      id,
      `${server}/${visibleText(tool)}`,
      agent === null ? 'all agents' : agent || 'people',
      when ?? 'any arguments',
      granted_at.slice(0, 10),
      // Servers of two projects may have one id.
      file ?? '-',
    ]);
    const head = ['ID', 'TOOL', 'AGENT', 'WHEN', 'SINCE', 'DEFINED IN'];
    const text = rows.length > 0 ? table(head, rows) : 'nothing is allowed for always';
    context.answer({ json: { grants }, text });
    return 0;
  },
});

export const approvalsRevoke = defineCommand({
  async run(context, { words }) {
    const id = words[0] as string;
    const hub = await HubRest.open(context);
    await hub.ask(`/api/grants/${encodeURIComponent(id)}`, { method: 'DELETE' });
    context.answer({ json: { revoked: id }, text: `revoked ${id}: the tool is asked about again` });
    return 0;
  },
});
