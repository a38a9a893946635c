/** Every slash command, and the way from a line to one. */
import { JunctorError, nearest } from '@junctor/core/light';
import { mcpDisable, mcpEnable, mcpReload } from './mcp/config.ts';
import { mcpAuth, mcpConnect, mcpDisconnect, mcpReconnect } from './mcp/connections.ts';
import { mcpDebug } from './mcp/debug.ts';
import { detailsOf } from './mcp/details.ts';
import { mcpList } from './mcp/list.ts';
import { mcpListTools } from './mcp/list-tools.ts';
import { mcpStatus } from './mcp/status.ts';
import { permissions } from './permissions.ts';
import type { SlashCommand, SlashContext } from './slash-command.ts';
import { stats } from './stats.ts';
import { tools } from './tools.ts';

const help: SlashCommand = {
  name: 'help',
  summary: 'show this',
  run: (_words, { say }) => say(helpText()),
};

const clear: SlashCommand = {
  name: 'clear',
  summary: 'begin a new conversation',
  run: (_words, { startOver }) => startOver(),
};

const exit: SlashCommand = { name: 'exit', summary: 'leave', run: (_words, { leave }) => leave() };

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  mcpList,
  mcpStatus,
  mcpListTools,
  mcpConnect,
  mcpDisconnect,
  mcpReconnect,
  mcpReload,
  mcpDebug,
  mcpAuth,
  mcpEnable,
  mcpDisable,
  tools,
  permissions,
  stats,
  clear,
  help,
  exit,
];

export async function runSlash(line: string, context: SlashContext): Promise<void> {
  const words = line.slice(1).trim().split(/\s+/);
  const [first = '', second = ''] = words;
  const pair = SLASH_COMMANDS.find(({ name }) => name === `${first} ${second}`);
  if (pair) {
    if (pair.takesServer && words.length < 3) throw needsServer(pair);
    return pair.run(words.slice(2), context);
  }
  // What is no verb is the id of a server.
  if (first === mcpList.name && second !== '') return context.say(detailsOf(context.host, second).join('\n'));
  const single = SLASH_COMMANDS.find(({ name }) => name === first);
  if (!single) throw unknownCommand(first);
  return single.run(words.slice(1), context);
}

function needsServer({ name }: SlashCommand): JunctorError {
  return new JunctorError('usage', `'/${name}' needs the id of a server.`, { hint: '/mcp lists them' });
}

function unknownCommand(name: string): JunctorError {
  const near = nearest(
    name,
    SLASH_COMMANDS.map(one => one.name),
  );
  return new JunctorError('usage', `There is no command '/${name}'.`, {
    hint: near ? `did you mean '/${near}'?` : '/help lists them',
  });
}

function helpText(): string {
  const rows = SLASH_COMMANDS.map(({ name, usage, summary }) => [`/${name}${usage ? ` ${usage}` : ''}`, summary]);
  const width = Math.max(...rows.map(([words = '']) => words.length));
  return [
    ...rows.map(([words = '', summary]) => `${words.padEnd(width)}  ${summary}`),
    '',
    '/SERVER:PROMPT [NAME=VALUE …]   run a prompt of a server; Tab completes',
    '@SERVER:URI                     put a resource into your question',
    'Alt-Enter or \\ at the end: a new line   Ctrl-C: stop the run, twice: leave   Ctrl-D: leave',
  ].join('\n');
}
