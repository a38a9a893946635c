import { agentId, agentMeant, dataDirectory, JunctorError } from '@junctor/core/light';
import { AGENT_ID, AGENT_IDS, findHub, type ListedToken, METRICS, TOKEN_LIMITS, TokenBook } from '@junctor/hub';
import { defineCommand, type OptionSpecs, type ParsedOptions } from '../../command.ts';
import { knownExecutors, whyNothingStarts } from '../../config-files/known-executor.ts';
import type { Context } from '../../context.ts';
import { HubRest } from '../../hub/hub-rest.ts';
import { wholeNumber } from '../../number-option.ts';
import { table } from '../../output/table.ts';

const OPTIONS = {
  agent: { value: 'ID', help: 'a token that opens only the doors of this agent' },
  session: { value: 'NAME', help: 'for one run of --agent: all connections with this token are one session' },
  executor: { value: 'NAME', help: 'where --agent runs: its servers are started there (default: local)' },
  metrics: { help: 'a token for a monitor: it opens /metrics and nothing else' },
  name: { value: 'NAME', help: 'whose it is, or what for: it is listed, and stands in the audit' },
  hours: { value: 'NUMBER', help: `it expires after so long (default: ${TOKEN_LIMITS.defaultHours}, that is 90 days)` },
  'no-expiry': { help: 'it is good until it is revoked, in place of --hours' },
  list: { help: 'list the tokens there are, in place of making one; what opens anything is not shown' },
  revoke: { help: 'revoke the tokens of --agent or --metrics, or without them every person token' },
  rotate: { help: 'make a new token in place of the one listed under --id, which opens nothing more' },
  id: { value: 'ID', help: 'with --revoke or --rotate: the one that is listed under this id' },
  by: { value: 'MAKER', help: 'with --revoke: those that this token (its id) or person (the name) made' },
} as const satisfies OptionSpecs;

export const hubToken = defineCommand({
  options: OPTIONS,
  details: `A token for an agent opens that agent's endpoints: junctor hub token --agent codex
Without --agent it is a person's token, which opens everything: keep it from agents.
With --revoke, --name revokes only those of that name: junctor hub token --revoke --name Ada
A token ends with the token it was made with: revoking one revokes what it made.`,
  async run(context, { options }) {
    const book = new TokenBook(dataDirectory(context.surroundings, context.global.data));
    if (options.list) return list(context, await listedTokens(context, book));
    if (options.rotate) return rotate(context, options, book);
    if (options.revoke) return revoke(context, options, book);
    return make(context, options, book);
  },
});

type TokenOptions = ParsedOptions<typeof OPTIONS>;

async function make(context: Context, options: TokenOptions, book: TokenBook): Promise<undefined> {
  const { agent, opens, name, whose } = kindOf(options);
  const { session, executor } = options;
  if (options.id !== undefined)
    throw new JunctorError('usage', '--id goes with --revoke or --rotate.', {
      hint: `junctor hub token --revoke --id ${options.id}`,
    });
  if (options.by !== undefined)
    throw new JunctorError('usage', '--by goes with --revoke.', {
      hint: `junctor hub token --revoke --by ${options.by}`,
    });
  if (options.hours !== undefined && options['no-expiry'])
    throw new JunctorError('usage', '--hours and --no-expiry contradict each other.', {
      hint: 'leave one of them out',
    });
  if (session !== undefined && agent === undefined)
    throw new JunctorError('usage', '--session needs --agent: it names one run of an agent.', {
      hint: 'junctor hub token --agent codex --session run-1',
    });
  if (executor !== undefined && agent === undefined)
    throw new JunctorError('usage', '--executor needs --agent: it says where that agent runs.', {
      hint: `junctor hub token --agent codex --executor ${executor}`,
    });
  const given = wholeNumber('hours', options.hours, { to: TOKEN_LIMITS.hours });
  const hours = options['no-expiry'] ? null : given;
  const token = await book.issue(agent, { session, executor, opens, name, hours });
  // An agent of your own begins with a config that is posted for it, maybe after this.
  if (agent !== undefined && !AGENT_IDS.has(agent)) {
    const meant = agentMeant(agent, [...AGENT_IDS]);
    const instead = meant === undefined ? '' : ` (did you mean '${meant}'?)`;
    context.talk(
      `'${agent}' is no agent we know${instead}: it works once a config is stored for it, or one of the files names it`,
    );
  }
  // It may also be one that is stored at the hub.
  if (executor !== undefined && !(await knownExecutors(context)).includes(executor))
    context.talk(`executor '${executor}' is in none of your files: nothing is started for it until it is set up`);
  else if (executor !== undefined) {
    const why = await whyNothingStarts(context, executor, agent);
    if (why !== undefined) context.talk(why);
  }
  if (agent === undefined && opens === undefined)
    context.talk('it opens everything, approvals and servers included; for an agent: junctor hub token --agent ID');
  const data = dataDirectory(context.surroundings, context.global.data);
  if (!(await findHub(data)))
    context.talk(`no hub runs on the data directory ${data}; the token is for the one you start there: junctor hub`);
  show(context, `token for ${whose}, shown once:`, { agent: agent ?? null, token });
}

async function rotate(context: Context, { id }: TokenOptions, book: TokenBook): Promise<undefined> {
  if (id === undefined)
    throw new JunctorError('usage', '--rotate needs --id.', { hint: 'junctor hub token --list shows the ids' });
  const token = await book.rotate(id);
  if (token === undefined) throw noToken(id);
  show(context, `new token in place of ${id}, shown once:`, { id, token });
}

/** Printed past the redactor, which would mask it: showing it is what this command is for. */
function show(
  context: Context,
  line: string,
  { token, ...rest }: { readonly token: string; readonly [key: string]: unknown },
): void {
  context.talk(line);
  process.stdout.write(context.global.json ? `${JSON.stringify({ ...rest, token })}\n` : `${token}\n`);
}

/** The hub knows when each was last used. */
async function listedTokens(context: Context, book: TokenBook): Promise<readonly ListedToken[]> {
  const hub = await HubRest.find(context);
  const answer = await hub?.ask<{ tokens: Readonly<Record<string, unknown>>[] }>('/api/tokens').catch(() => undefined);
  const used = new Map(answer?.tokens.map(({ id, last_used }) => [id, last_used]));
  return (await book.list()).map(token => {
    const at = used.get(token.id);
    return typeof at === 'string' ? { ...token, last_used: at } : token;
  });
}

function noToken(id: string): JunctorError {
  return new JunctorError('not_found', `There is no token '${id}'.`, { hint: 'junctor hub token --list' });
}

async function revoke(context: Context, options: TokenOptions, book: TokenBook): Promise<undefined> {
  const { id, by } = options;
  if (id !== undefined) {
    const revoked = await book.revokeListed(id);
    if (revoked === 0) throw noToken(id);
    const more = revoked > 1 ? `, and ${revoked - 1} token(s) made with it` : '';
    context.answer({ json: { id, revoked }, text: `revoked the token ${id}${more}` });
    return;
  }
  if (by !== undefined) {
    const revoked = await book.revokeMadeBy(by);
    context.answer({ json: { by, revoked }, text: `revoked ${revoked} token(s) made by ${by}` });
    return;
  }
  const { agent, opens, name, whose } = kindOf(options);
  const revoked = await book.revoke({ agent, opens, name });
  const named = name === undefined ? '' : `, named ${name}`;
  context.answer({
    json: { agent: agent ?? null, ...(name !== undefined && { name }), revoked },
    text: `revoked ${revoked} token(s) of ${whose}${named}`,
  });
}

function list(context: Context, tokens: readonly ListedToken[]): undefined {
  const rows = tokens.map(({ id, name = '-', created, expires, last_used, made_by, made_by_name, ...terms }) => [
    ...[id, openedBy(terms), name, minute(created), made_by_name ?? made_by ?? '-'],
    expires === undefined ? 'when revoked' : minute(expires),
    last_used === undefined ? '-' : minute(last_used),
  ]);
  context.answer({
    json: { tokens },
    text: rows.length === 0 ? 'no tokens' : table(['ID', 'OPENS', 'NAME', 'MADE', 'BY', 'ENDS', 'USED'], rows),
  });
}

function openedBy({ agent, session, opens }: Pick<ListedToken, 'agent' | 'session' | 'opens'>): string {
  if (opens !== undefined) return `/${opens}`;
  if (agent === undefined) return 'everything';
  return session === undefined ? `agent ${agent}` : `agent ${agent}, session ${session}`;
}

function minute(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}

interface Kind {
  readonly agent: string | undefined;
  readonly opens: typeof METRICS | undefined;
  readonly name: string | undefined;
  /** In words. */
  readonly whose: string;
}

function kindOf(options: TokenOptions): Kind {
  const { name, metrics } = options;
  const agent = options.agent === undefined ? undefined : agentId(options.agent);
  if (agent !== undefined && !AGENT_ID.test(agent)) {
    throw new JunctorError('usage', `'${options.agent}' cannot be an agent.`, {
      hint: `one of: ${[...AGENT_IDS].join(', ')}; or your own, of letters, digits and hyphens`,
    });
  }
  if (metrics && agent !== undefined)
    throw new JunctorError('usage', '--metrics and --agent are two kinds of tokens.', {
      hint: 'make one of each: junctor hub token --metrics',
    });
  if (name !== undefined && name.length > TOKEN_LIMITS.nameChars)
    throw new JunctorError('usage', `--name takes at most ${TOKEN_LIMITS.nameChars} characters.`, {
      hint: 'name whose it is, or what for, in a word or two',
    });
  const opens = metrics ? METRICS : undefined;
  return { agent, opens, name, whose: opens ?? (agent === undefined ? 'person' : `agent ${agent}`) };
}
