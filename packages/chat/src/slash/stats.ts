import type { SlashCommand } from './slash-command.ts';
import { cell, columns } from './table.ts';

const MOST_SHOWN = 15;

export const stats: SlashCommand = {
  name: 'stats',
  summary: 'show tokens of this conversation, and the most used tools',
  async run(_words, { host, conversation, agent, say }) {
    const { input, output } = conversation().usage;
    const used = (await host.statistics()).filter(({ calls }) => calls > 0).sort((a, b) => b.calls - a.calls);
    const rows = used
      .slice(0, MOST_SHOWN)
      .map(({ server, tool, calls, errors, p50_ms, p95_ms }) => [
        server,
        cell(tool, 40),
        ...[calls, errors, p50_ms, p95_ms].map(value => (value === undefined ? '-' : String(Math.round(value)))),
      ]);
    const head = ['server', 'tool', 'calls', 'errors', 'p50 ms', 'p95 ms'];
    const tables = rows.length === 0 ? ['no tool of a server was called yet'] : [columns(head, rows)];
    say(
      [`model ${agent.modelName}: ${input} tokens read, ${output} written in this conversation`, ...tables].join('\n'),
    );
  },
};
