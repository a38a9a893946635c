import { type LoadedServer, loadMcpConfig, maskDefinition } from '@junctor/core/config-read';
import { TrustBook as Book, type TrustBook, type TrustState } from '@junctor/core/config-write';
import { dataDirectory, JunctorError } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { type Context, loadOptions } from '../../context.ts';
import { oneLine, table } from '../../output/table.ts';

export const trustList = defineCommand({ run: showTrust });

export const trustAdd = defineCommand({
  options: { all: { help: 'approve every server of this project' } },
  details:
    'Look first: junctor explain ID. The approval holds for this definition; when it changes, you are asked again.',
  async run(context, { options, words }) {
    const { servers, states, book } = await openBook(context);
    const waiting = [...servers.values()].filter(({ id }) => states.get(id) === 'waiting');
    const chosen = options.all ? waiting : words.map(id => servers.get(id) ?? unknown(id, servers));
    if (chosen.length === 0 && !options.all) {
      throw new JunctorError('usage', "'junctor trust add' needs an ID, or --all.", { hint: 'junctor trust list' });
    }
    await book.approve(chosen);
    const ids = chosen.map(({ id }) => id);
    context.answer({
      json: { approved: ids },
      text: ids.length > 0 ? `approved ${ids.join(', ')}` : 'nothing waits for approval',
    });
    return 0;
  },
});

export const trustRemove = defineCommand({
  async run(context, { words }) {
    const id = words[0] as string;
    const { book } = await openBook(context);
    const withdrawn = await book.withdraw(id);
    if (withdrawn === 0)
      throw new JunctorError('server_unknown', `No approval of '${id}' is kept.`, {
        server: id,
        hint: 'junctor trust list',
      });
    context.answer({ json: { id, withdrawn }, text: `withdrew the approval of '${id}'` });
    return 0;
  },
});

async function showTrust(context: Context): Promise<number> {
  const { servers, states } = await openBook(context);
  const rows = [...servers.values()]
    .filter(({ id }) => states.get(id) !== 'trusted')
    .map(({ id, definition, source }) => ({
      id,
      state: states.get(id) ?? 'waiting',
      source,
      definition: maskDefinition(definition),
    }));
  context.answer({
    json: { servers: rows },
    text: rows.length === 0 ? 'no server of this project needs approval' : trustTable(rows),
  });
  return 0;
}

function trustTable(rows: readonly { id: string; state: TrustState; source: string; definition: object }[]): string {
  return table(
    ['ID', 'STATE', 'DEFINITION', 'FILE'],
    rows.map(({ id, state, source, definition }) => [id, state, oneLine(JSON.stringify(definition), 70), source]),
  );
}

interface OpenBook {
  readonly servers: ReadonlyMap<string, LoadedServer>;
  readonly states: ReadonlyMap<string, TrustState>;
  readonly book: TrustBook;
}

async function openBook(context: Context): Promise<OpenBook> {
  const { surroundings, global } = context;
  const { servers } = await loadMcpConfig(loadOptions(context));
  const book = new Book(dataDirectory(surroundings, global.data), surroundings);
  return { servers, states: await book.states(servers.values()), book };
}

function unknown(id: string, servers: ReadonlyMap<string, unknown>): never {
  throw new JunctorError('server_unknown', `There is no server '${id}'.`, {
    server: id,
    why: servers.size > 0 ? `known servers: ${[...servers.keys()].join(', ')}` : 'no MCP servers configured',
    hint: 'junctor trust list',
  });
}
