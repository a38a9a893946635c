import { dataDirectory, JunctorError } from '@junctor/core/light';
import { AGENT_ID, AGENT_IDS, type ListedToken, METRICS, TOKEN_LIMITS, TokenBook } from '@junctor/hub';
import { defineCommand, type OptionSpecs, type ParsedOptions } from '../../command.ts';
import { knownExecutors } from '../../config-files/known-executor.ts';
import type { Context } from '../../context.ts';
import { wholeNumber } from '../../number-option.ts';
import { table } from '../../output/table.ts';

const OPTIONS = {
  agent: { value: 'ID', help: 'a token that opens only the doors of this agent' },
  session: { value: 'NAME', help: 'for one run of --agent: all connections with this token are one session' },
  executor: { value: 'NAME', help: 'where --agent runs: its servers are started there (default: local)' },
  metrics: { help: 'a token for a monitor: it opens /metrics and nothing else' },
  name: { value: 'NAME', help: 'whose it is, or what for: it is listed, and stands in the audit' },
  hours: { value: 'NUMBER', help: 'it ends by itself after so long (default: it is good until it is revoked)' },
  list: { help: 'list the tokens there are, in place of making one; what opens anything is not shown' },
  revoke: { help: 'revoke the tokens of --agent or --metrics, or without them every person token' },
  id: { value: 'ID', help: 'with --revoke: only the one that is listed under this id' },
} as const satisfies OptionSpecs;

export const hubToken = defineCommand({
  options: OPTIONS,
  details: 'With --revoke, --name revokes only those of that name: junctor hub token --revoke --name Ada',
  async run(context, { options }) {
    const book = new TokenBook(dataDirectory(context.surroundings, context.global.data));
    if (options.list) return list(context, await book.list());
    if (options.revoke) return revoke(context, options, book);
    return make(context, options, book);
  },
});

type TokenOptions = ParsedOptions<typeof OPTIONS>;

async function make(context: Context, options: TokenOptions, book: TokenBook): Promise<undefined> {
  const { agent, opens, name, whose } = kindOf(options);
  const { session, executor } = options;
  if (options.id !== undefined)
    throw new JunctorError('usage', '--id goes with --revoke.', {
      hint: `junctor hub token --revoke --id ${options.id}`,
    });
  if (session !== undefined && agent === undefined)
    throw new JunctorError('usage', '--session needs --agent: it names one run of an agent.', {
      hint: 'junctor hub token --agent codex --session run-1',
    });
  if (executor !== undefined && agent === undefined)
    throw new JunctorError('usage', '--executor needs --agent: it says where that agent runs.', {
      hint: `junctor hub token --agent codex --executor ${executor}`,
    });
  const hours = wholeNumber('hours', options.hours, { to: TOKEN_LIMITS.hours });
  const token = await book.issue(agent, { session, executor, opens, name, hours });
  // An agent of your own begins with a config that is posted for it, maybe after this.
  if (agent !== undefined && !AGENT_IDS.has(agent))
    context.talk(
      `'${agent}' is no agent we know: it works once a config is stored for it, or one of the files names it`,
    );
  // It may also be one that is stored at the hub.
  if (executor !== undefined && !(await knownExecutors(context)).includes(executor))
    context.talk(`executor '${executor}' is in none of your files: nothing is started for it until it is set up`);
  context.talk(`token for ${whose}, shown once:`);
  // Printed past the redactor, which would mask it: showing it is what this command is for.
  process.stdout.write(context.global.json ? `${JSON.stringify({ agent: agent ?? null, token })}\n` : `${token}\n`);
}

async function revoke(context: Context, options: TokenOptions, book: TokenBook): Promise<undefined> {
  const { id } = options;
  if (id !== undefined) {
    if (!(await book.revokeListed(id)))
      throw new JunctorError('not_found', `There is no token '${id}'.`, { hint: 'junctor hub token --list' });
    context.answer({ json: { id, revoked: 1 }, text: `revoked the token ${id}` });
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
  const rows = tokens.map(({ id, name = '-', created, expires, ...terms }) => [
    ...[id, openedBy(terms), name, minute(created)],
    expires === undefined ? 'when revoked' : minute(expires),
  ]);
  context.answer({
    json: { tokens },
    text: rows.length === 0 ? 'no tokens' : table(['ID', 'OPENS', 'NAME', 'MADE', 'ENDS'], rows),
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
  const agent = options.agent?.toLowerCase();
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
