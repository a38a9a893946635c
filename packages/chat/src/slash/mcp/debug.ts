import { maskDefinition } from '@junctor/core/config-read';
import type { SlashCommand } from '../slash-command.ts';
import { cell } from '../table.ts';
import { detailsOf, factLines } from './details.ts';

/** Of what its program wrote to stderr. */
const LAST_LINES = 20;

export const mcpDebug: SlashCommand = {
  name: 'mcp debug',
  usage: 'SERVER',
  summary: 'show all that is known of a server',
  takesServer: true,
  run([id = ''], { host, say }) {
    const lines = detailsOf(host, id);
    const loaded = host.loaded.servers.get(id);
    const greeting = host.resolution.servers.has(id) ? host.links.live(id)?.greeting : undefined;
    const info = greeting?.serverInfo;
    const printed = host.links.live(id)?.conversation.program.output?.lines(LAST_LINES);
    const failure = host.failures().find(({ server }) => server === id);
    const facts: [string, string | undefined][] = [
      ['file', loaded?.file],
      ['definition', loaded && host.mask(JSON.stringify(maskDefinition(loaded.definition)))],
      ['server', info && cell(`${info.name} ${info.version ?? ''}`)],
      ['capabilities', greeting && cell(JSON.stringify(greeting.capabilities), 500)],
      ['failed with', failure && host.mask(cell(`${failure.error.message} ${failure.error.why ?? ''}`, 2000))],
    ];
    const output = printed ? ['prints', ...printed.split('\n').map(line => `  ${host.mask(cell(line, 500))}`)] : [];
    say([...lines, ...factLines(facts), ...output].join('\n'));
  },
};
