import { NATIVE_TOOLS } from '../native/native-tools.ts';
import type { SlashCommand } from './slash-command.ts';

export const tools: SlashCommand = {
  name: 'tools',
  summary: 'list what the model can call',
  run(_words, { host, agent, say }) {
    const native = `chat: ${NATIVE_TOOLS.map(({ name }) => name).join(', ')}`;
    const servers = host
      .status()
      .filter(({ state, id }) => state === 'ready' && !agent.away.has(id))
      .map(({ id, tools: count }) => `${id}: ${count === 1 ? '1 tool' : `${count} tools`} (/mcp list-tools)`);
    say([native, ...servers].join('\n'));
  },
};
