import { type Ask, createHost, type ToolResult } from '@junctor/core';
import { JunctorError } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { type Context, hostOptions } from '../../context.ts';
import { askYesNo } from '../../output/ask.ts';

export const mcpCall = defineCommand({
  options: {
    args: { value: 'JSON', help: 'its arguments (default: {})' },
    yes: { help: 'answer yes where permission would be asked' },
  },
  details: `example: junctor mcp call fs list_directory --args '{"path":"."}'`,
  async run(context, { options, words }) {
    const [server, named] = words as [string, string];
    // `mcp tools` shows the public name; whoever copies it means the same tool.
    const prefix = `mcp__${server}__`;
    const tool = named.startsWith(prefix) ? named.slice(prefix.length) : named;
    const args = argumentsFrom(options.args);
    await using host = await createHost(hostOptions(context));
    const result = await host.call({ server, tool }, args, {
      signal: context.signal,
      ask: askerFor(context, options.yes, host.unapproved.length > 0),
      onProgress: context.interactive ? progress => context.talk(describeProgress(progress)) : undefined,
    });
    context.answer({ json: result, text: result.output });
    return report(result, context, server, tool);
  },
});

function argumentsFrom(text: string | undefined): object {
  if (text === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new JunctorError('usage', '--args is not valid JSON.', {
      why: (error as Error).message,
      hint: `--args '{"key":"value"}'`,
    });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new JunctorError('usage', '--args must be a JSON object.', { hint: `--args '{"key":"value"}'` });
}

function askerFor(context: Context, yes: boolean, rulesWait: boolean): Ask {
  if (yes) return async () => true;
  if (!context.interactive) return nobodyToAsk(rulesWait);
  return ({ server, tool, args, because }) =>
    askYesNo(`Call '${tool}' on server '${server}' with ${JSON.stringify(args)}? (${because})`, context.signal);
}

/** Rules of the project that nobody approved yet may be the very ones that are missing. */
const nobodyToAsk =
  (rulesWait: boolean): Ask =>
  async ({ server, tool, because }) => {
    throw new JunctorError(
      'approval_required',
      `The call of '${tool}' on server '${server}' needs a yes, and no terminal is there to ask on.`,
      {
        server,
        why: because,
        hint: because.startsWith('the rule ask')
          ? 'add --yes, or take the ask rule out: it beats allow and trust'
          : `${rulesWait ? "approve the project's rules (junctor trust list), " : ''}add --yes, or add "mcp__${server}__${tool}" to permissions.allow, or set "trust": "trusted" on the server`,
      },
    );
  };

function report(result: ToolResult, context: Context, server: string, tool: string): number {
  if (result.success) return 0;
  if (result.denied) {
    if (!context.global.json)
      context.talk(`error: '${tool}' on server '${server}' was not called. (permission_denied)`);
    return 1;
  }
  if (!context.global.json) context.talk(`error: '${tool}' on server '${server}' reported an error. (tool_failed)`);
  return 1;
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
