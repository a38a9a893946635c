/** One call of a tool, for whoever typed it. */
import { type Ask, type CallObserver, createHost, type McpConfigLoadResult, type ToolResult } from '@junctor/core';
import { parseKeepingDigits } from '@junctor/core/internal';
import { type DialectName, JunctorError } from '@junctor/core/light';
import { type Context, hostOptions } from '../../context.ts';
import { ThroughHub } from '../../hub/through-hub.ts';
import { askPermission } from '../../output/ask.ts';
import { elicitWith } from '../../output/elicit.ts';
import { exitCodeOf, toldFailure } from '../../output/problem.ts';
import { tellWaiting } from '../../output/still-waiting.ts';
import { RunElsewhere } from '../../run-line.ts';

export interface MakeCallOptions {
  readonly args: string | undefined;
  readonly yes: boolean;
  readonly direct: boolean;
}

export async function makeCall(
  context: Context,
  options: MakeCallOptions,
  words: readonly [string, string],
): Promise<number> {
  const [server, named] = words;
  // `mcp tools` shows the public name; whoever copies it means the same tool.
  const prefix = `mcp__${server}__`;
  const tool = named.startsWith(prefix) ? named.slice(prefix.length) : named;
  const args = argumentsFrom(options.args);
  // Nobody but the person at this terminal can answer, and whoever sits there may take their time.
  const approvals = { waitMs: Number.POSITIVE_INFINITY, attended: false };
  const hub = await ThroughHub.find(context, options);
  const settings = { ...hostOptions(context), ...hub.hostOptions, elicit: elicitWith(context), approvals };
  // Inside a hub nothing is started for one call, whatever the config wants started at once.
  await using host = await createHost(context.errand ? { ...settings, connect: 'lazy' } : settings);
  if (context.errand && hub.wayTo(server) === 'direct') throw new RunElsewhere();
  hub.tell([server]);
  using _waiting = tellWaiting(context, host, () => (host.links.live(server) ? [] : [server]));
  let denial: JunctorError | undefined;
  const observer: CallObserver = {
    judged(_call, decision) {
      denial = decision.effect === 'deny' ? decision.error : undefined;
    },
  };
  const result = await host
    .call({ server, tool }, args, {
      signal: context.signal,
      observer,
      // A person, or a script, wants all of it: there is no model here whose window it could fill.
      whole: true,
      ask: askerFor(context, options.yes, { rulesWait: host.unapproved.length > 0, loaded: host.loaded }),
      onProgress: context.interactive ? progress => context.talk(describeProgress(progress)) : undefined,
    })
    .catch(async error => {
      throw await hub.whyMissing({ server, tool }, hub.failureAt(server, error));
    });
  denial = denial && (await hub.whyMissing({ server, tool }, denial));
  // Nobody called the tool: there is no answer to print, only the reason.
  if (denial && !context.global.json) throw denial;
  const failure = denial ?? failureOf(result, server, tool);
  const error = failure && { error: toldFailure(failure, context.commands) };
  context.answer({ json: { ...result, ...error, via: hub.wayTo(server) }, text: result.output });
  if (!failure) return 0;
  if (!context.global.json) {
    context.talk(`error: ${failure.message} (${failure.code})`);
    // What it said is the answer above.
    if (failure.hint !== undefined) context.talk(`  try: ${failure.hint}`);
  }
  return exitCodeOf(failure);
}

function argumentsFrom(text: string | undefined): object {
  if (text === undefined) return {};
  let value: unknown;
  try {
    value = parseKeepingDigits(text);
  } catch (error) {
    throw new JunctorError('usage', '--args is not valid JSON.', {
      why: (error as Error).message,
      hint: `--args '{"key":"value"}'`,
    });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new JunctorError('usage', '--args must be a JSON object.', { hint: `--args '{"key":"value"}'` });
}

interface Around {
  readonly rulesWait: boolean;
  readonly loaded: McpConfigLoadResult;
}

function askerFor(context: Context, yes: boolean, around: Around): Ask {
  if (yes) return async () => true;
  if (!context.interactive) return nobodyToAsk(around);
  // A person who typed the call at this terminal has decided already; only a rule, or a tool that changed, asks again.
  return async question => (question.byDefault ? true : askPermission(question, context));
}

/** Rules of the project that nobody approved yet may be the very ones that are missing. */
const nobodyToAsk =
  ({ rulesWait, loaded }: Around): Ask =>
  async ({ server, tool, because }) => {
    throw new JunctorError(
      'approval_required',
      `${server}/${tool} needs approval, and there is no terminal to ask on.`,
      {
        server,
        why: because,
        hint: because.startsWith('the rule ask')
          ? 'add --yes, or take the ask rule out: it beats allow and trust'
          : `${rulesWait ? "approve the project's rules (junctor trust list), " : ''}add --yes, or ${waysToAllow(server, tool, loaded.servers.get(server)?.dialect)}`,
      },
    );
  };

/** In the words of the file that defines the server; rules stand in files of Junctor's own format only. */
function waysToAllow(server: string, tool: string, dialect: DialectName = 'junctor'): string {
  const rule = `add "mcp__${server}__${tool}" to permissions.allow`;
  const trust = TRUST_WORDS[dialect];
  const trusting = trust === undefined ? '' : `, or set ${trust} on the server`;
  return dialect === 'junctor' ? `${rule}${trusting}` : `${rule} in a Junctor file, such as your own${trusting}`;
}

const TRUST_WORDS: Readonly<Partial<Record<DialectName, string>>> = {
  junctor: '"trust": "trusted"',
  toolloop: '"trust": "trusted"',
  'code-agent': '"trust": true',
  gemini: '"trust": true',
  'qwen-code': '"trust": true',
};

/** A result that is an error of the tool, as any other failure is reported. */
function failureOf({ success, error }: ToolResult, server: string, tool: string): JunctorError | undefined {
  if (success) return undefined;
  const details = {
    server,
    ...(error === undefined ? {} : { why: error }),
    hint: `see which arguments it takes: junctor mcp tools ${server} --json`,
  };
  return new JunctorError('tool_failed', `'${tool}' on server '${server}' reported an error.`, details);
}

function describeProgress({
  progress,
  total,
  message,
}: {
  progress: number;
  total?: number;
  message?: string;
}): string {
  return `${progress}${total === undefined ? '' : ` of ${total}`}${message ? `: ${message}` : ''}`;
}
