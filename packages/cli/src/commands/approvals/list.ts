import { defineCommand } from '../../command.ts';
import { HubRest } from '../../hub/hub-rest.ts';
import { type Approval, approvalTable } from './approval.ts';
import { watchApprovals } from './watch.ts';

export const approvalsList = defineCommand({
  options: {
    all: { help: 'show those that are settled, too, newest first' },
    agent: { value: 'ID', help: 'only calls of this agent' },
    watch: {
      help: 'stay, and tell of each call as it is asked about; at a terminal you can answer there, with --json one document a line',
    },
  },
  details: `Calls that no rule allows wait in the running hub, for five minutes. Answer one:
  junctor approvals answer ID once|session|always|deny`,
  async run(context, { options: { all, agent, watch } }) {
    const hub = await HubRest.open(context);
    if (watch) return watchApprovals(context, hub, agent);
    const query = new URLSearchParams({ state: all ? 'all' : 'open', ...(agent === undefined ? {} : { agent }) });
    const { approvals } = await hub.ask<{ approvals: readonly Approval[] }>(`/api/approvals?${query}`);
    const empty = all ? 'no call was asked about yet' : 'no call waits for a yes';
    context.answer({
      json: { approvals },
      text: approvals.length > 0 ? approvalTable(approvals, Date.now()) : empty,
    });
    return 0;
  },
});
