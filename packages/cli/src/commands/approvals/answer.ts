import { JunctorError } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { HubRest } from '../../hub/hub-rest.ts';
import { idOf } from './approval.ts';

const VERDICTS = ['once', 'session', 'always', 'deny'];

export const approvalsAnswer = defineCommand({
  options: {
    when: { value: 'PATTERN', help: 'allow it only for such arguments: path=/tmp/**' },
    note: { value: 'TEXT', help: 'with deny: what the model reads' },
    'all-agents': { help: 'with always: for every agent, not only the one that asked' },
  },
  details: `VERDICT is once (this call), session (this tool until the agent's session ends), always (in later sessions of the
same agent too) or deny. The beginning of an ID will do.`,
  async run(context, { options, words }) {
    const { when, note, 'all-agents': allAgents } = options;
    const [given, verdict] = words as [string, string];
    if (!VERDICTS.includes(verdict))
      throw new JunctorError('usage', `'${verdict}' is no verdict.`, { hint: `one of: ${VERDICTS.join(', ')}` });
    const hub = await HubRest.open(context);
    const id = await idOf(hub, given);
    const body = { answer: verdict, when, note, from: 'terminal', ...(allAgents ? { all_agents: true } : {}) };
    await hub.ask(`/api/approvals/${encodeURIComponent(id)}`, { method: 'POST', body });
    context.answer({ json: { id, verdict }, text: verdict === 'deny' ? `denied ${id}` : `allowed ${id}: ${verdict}` });
    return 0;
  },
});
