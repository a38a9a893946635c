import { visibleText } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { HubRest } from '../../hub/hub-rest.ts';
import { approvalTable, idOf, noSuchQuestion, openApprovals } from './approval.ts';

interface Readable {
  readonly text: string;
  readonly complete: boolean;
}

export const approvalsShow = defineCommand({
  details: `Arguments of up to 1 MiB are shown whole, of longer ones the beginning and the end. Secrets are masked.
The beginning of an ID will do.`,
  async run(context, { words: [given = ''] }) {
    const hub = await HubRest.open(context);
    const id = await idOf(hub, given);
    const asked = (await openApprovals(hub)).find(one => one.id === id);
    if (!asked) throw noSuchQuestion(given);
    const read = await hub.ask<Readable>(`/api/approvals/${encodeURIComponent(id)}/arguments`);
    context.answer({
      json: { ...asked, arguments_text: read.text, complete: read.complete },
      text: `${approvalTable([asked], Date.now())}\n\nWhy: ${visibleText(asked.because)}\nArguments:\n${visibleText(read.text)}`,
    });
    return 0;
  },
});
