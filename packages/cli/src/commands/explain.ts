import { explainServer, loadMcpConfig, type Place, resolve, type ServerExplanation } from '@junctor/core/config-read';
import { TrustBook } from '@junctor/core/config-write';
import { dataDirectory, JunctorError } from '@junctor/core/light';
import { defineCommand } from '../command.ts';
import { loadOptions } from '../context.ts';
import { table } from '../output/table.ts';
import { findServer } from './mcp/get.ts';

export const explain = defineCommand({
  options: {
    agent: { value: 'ID', help: 'as this agent sees it' },
    executor: { value: 'NAME', help: 'on this executor (default: local)' },
  },
  async run(context, { options, words }) {
    const id = words[0] as string;
    if (id.includes('/'))
      throw new JunctorError('usage', 'Single tools cannot be explained yet.', {
        hint: `junctor explain ${id.split('/')[0]}`,
      });
    const server = await findServer(context, id);
    const loaded = await loadMcpConfig({ ...loadOptions(context), strict: false });
    const { surroundings, global } = context;
    const book = new TrustBook(dataDirectory(surroundings, global.data), surroundings);
    const trust = (await book.states([server])).get(id) ?? 'trusted';
    const resolution = resolve({ config: loaded, agent: options.agent, executor: options.executor });
    const leftOut = resolution.leftOut.find(one => one.id === id)?.because ?? null;
    const mode = resolution.servers.get(id)?.mode ?? null;
    const explanation = explainServer(server, loaded.frame);
    context.answer({
      json: { ...explanation, trust, mode, leftOut },
      text: explanationText(explanation, trust, leftOut),
    });
    return 0;
  },
});

function explanationText(
  { id, layer, source, dialect, fields, hides }: ServerExplanation,
  trust: string,
  leftOut: string | null,
): string {
  const rows = fields.map(({ key, value, layer: from, source: file, place }) => [
    `  ${key}`,
    shown(value),
    file ? `${from} ${at(file, place)}` : from,
  ]);
  const lines = [
    `${id}: defined in the ${layer} layer, ${source} (${dialect})`,
    table(['  FIELD', 'VALUE', 'SET BY'], rows),
  ];
  if (trust === 'waiting') lines.push(`waits for approval: junctor trust add ${id}`);
  if (leftOut !== null) lines.push(`left out: ${leftOut}`);
  for (const hidden of hides)
    lines.push(`hides ${hidden.layer} ${at(hidden.source, hidden.place)}: ${shown(hidden.definition)}`);
  return lines.join('\n');
}

function at(source: string, place: Place | null): string {
  return place ? `${source}:${place.line}:${place.column}` : source;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
