import { consentTo, loadMcpConfig, type McpConfigLoadResult, maskDefinition } from '@junctor/core/config-read';
import {
  TrustBook as Book,
  describePower,
  GrantsFile,
  POWERS_ID,
  type TrustBook,
  type TrustState,
} from '@junctor/core/config-write';
import { dataDirectory, JunctorError } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { noServer } from '../../config-files/no-server.ts';
import { type Context, loadOptions } from '../../context.ts';
import { askYesNo } from '../../output/ask.ts';
import { powerLines, serverLines, waitingLines } from './consent-lines.ts';

export const trustList = defineCommand({ run: showTrust });

export const trustAdd = defineCommand({
  options: {
    all: { help: 'approve every server of this project, and its rules' },
    rules: {
      help: 'approve what its files say beyond their servers: allow rules, executors, agents, switches, settings',
    },
    yes: { help: 'do not ask at a terminal' },
  },
  details: `Shows whole what it approves, and asks at a terminal. Lines with ! say what a server receives or may do.
The approval holds for what it says now; when that changes, you are asked again.`,
  async run(context, { options, words }) {
    const { loaded, states, powers, book } = await openBook(context);
    const { servers } = loaded;
    if (words.length === 0 && !options.all && !options.rules) {
      throw new JunctorError('usage', "'junctor trust add' needs an ID, --rules or --all.", {
        hint: 'junctor trust list',
      });
    }
    const waiting = [...servers.values()].filter(({ id }) => states.get(id) === 'waiting');
    const named = words.map(id => servers.get(id) ?? fail(id, loaded));
    for (const { id, layer, source } of named.filter(one => states.get(one.id) === 'trusted'))
      context.talk(`'${id}' needs no approval: it stands in the ${layer} layer, ${source}`);
    const chosen = options.all ? waiting : named.filter(({ id }) => states.get(id) !== 'trusted');
    const rules = options.all || options.rules ? powers.filter(({ approved }) => !approved) : [];
    for (const line of waitingLines(chosen, rules)) context.talk(line);
    const asks = context.interactive && !options.yes && chosen.length + rules.length > 0;
    if (asks && !(await askYesNo('Approve it?', context.signal))) {
      context.answer({ json: { approved: [] }, text: 'approved nothing' });
      return 1;
    }
    await book.approve(chosen);
    await book.approvePowers(rules);
    const ids = [...chosen.map(({ id }) => id), ...rules.map(({ power }) => describePower(power))];
    context.answer({
      json: { approved: ids },
      text: ids.length > 0 ? `approved ${ids.join(', ')}` : 'nothing waits for approval',
    });
    return 0;
  },
});

export const trustRemove = defineCommand({
  options: { rules: { help: 'withdraw the approval of what the files of this project say beyond their servers' } },
  async run(context, { options, words }) {
    const id = words[0] ?? (options.rules ? POWERS_ID : undefined);
    if (id === undefined)
      throw new JunctorError('usage', "'junctor trust remove' needs an ID, ID/TOOL or --rules.", {
        hint: 'junctor trust list',
      });
    const { book, grants, loaded, powers } = await openBook(context);
    if (id.includes('/')) return removeGrants(context, grants, id);
    // Of this project only: what the same id means elsewhere is another matter.
    const file = loaded.servers.get(id)?.file ?? (id === POWERS_ID ? powers[0]?.layer.file : undefined);
    const withdrawn = await book.withdraw(id, file);
    if (withdrawn === 0)
      throw new JunctorError('server_unknown', `No approval of '${id}' is kept.`, {
        server: id,
        hint: 'junctor trust list',
      });
    const what = id === POWERS_ID ? 'the rules' : `'${id}'`;
    context.answer({ json: { id, withdrawn }, text: `withdrew the approval of ${what}` });
    return 0;
  },
});

/** `fs/write_file`: what was allowed for always when a call was asked about. */
async function removeGrants(context: Context, grants: GrantsFile, id: string): Promise<number> {
  const at = id.indexOf('/');
  const [server, tool] = [id.slice(0, at), id.slice(at + 1)];
  let withdrawn = 0;
  await grants.change(all => {
    const kept = all.filter(grant => grant.server !== server || grant.tool !== tool);
    withdrawn = all.length - kept.length;
    return kept;
  });
  if (withdrawn === 0) {
    throw new JunctorError('tool_not_found', `The tool '${tool}' on server '${server}' is not allowed for always.`, {
      server,
      hint: 'junctor trust list',
    });
  }
  context.answer({ json: { id, withdrawn }, text: `'${tool}' on server '${server}' is asked about again` });
  return 0;
}

async function showTrust(context: Context): Promise<number> {
  const { loaded, states, powers, grants } = await openBook(context);
  const always = (await grants.read()).map(({ server, tool, when, granted_at }) => ({
    id: `${server}/${tool}`,
    state: 'approved' as const,
    source: grants.path,
    lines: [`call it always${when === undefined ? '' : `, with ${when}`} (since ${granted_at.slice(0, 10)})`],
  }));
  const rules = powers.map(({ layer, power, approved }) => ({
    id: POWERS_ID,
    state: approved ? ('approved' as const) : ('waiting' as const),
    source: layer.source,
    rule: describePower(power),
  }));
  const asking = [...loaded.servers.values()].filter(({ id }) => states.get(id) !== 'trusted');
  const rows = asking.map(server => ({
    id: server.id,
    state: states.get(server.id) ?? 'waiting',
    source: server.source,
    definition: maskDefinition(server.definition),
    receives: consentTo(server).receives,
  }));
  const blocks = [
    ...rows.map((row, at) => ({ ...row, lines: serverLines(asking[at] as (typeof asking)[number]) })),
    ...rules.map((rule, at) => ({ ...rule, lines: powerLines(powers[at] as (typeof powers)[number]) })),
    ...always,
  ];
  context.answer({
    json: { servers: rows, rules, grants: await grants.read() },
    text: blocks.length === 0 ? 'nothing of this project needs approval' : blocks.map(blockText).join('\n'),
  });
  return 0;
}

interface Block {
  readonly id: string;
  readonly state: TrustState;
  readonly source: string;
  readonly lines: readonly string[];
}

/** `demo  waiting  …/junctor.json`, and below it all that is approved with it. */
function blockText({ id, state, source, lines }: Block): string {
  return [[id, state, source].filter(Boolean).join('  '), ...lines.map(line => `  ${line}`)].join('\n');
}

interface OpenBook {
  readonly loaded: McpConfigLoadResult;
  readonly states: ReadonlyMap<string, TrustState>;
  readonly powers: Awaited<ReturnType<TrustBook['powers']>>;
  readonly book: TrustBook;
  readonly grants: GrantsFile;
}

async function openBook(context: Context): Promise<OpenBook> {
  const { surroundings, global } = context;
  const loaded = await loadMcpConfig(loadOptions(context));
  const { servers, layers } = loaded;
  const data = dataDirectory(surroundings, global.data);
  const book = new Book(data, surroundings);
  const grants = new GrantsFile(data);
  return { loaded, states: await book.states(servers.values()), powers: await book.powers(layers), book, grants };
}

function fail(id: string, loaded: McpConfigLoadResult): never {
  throw noServer(id, loaded);
}
