import { JunctorError, type McpServerDef } from '@junctor/core';
import { defineCommand } from '../../command.ts';
import type { Context } from '../../context.ts';

export const mcpAdd = defineCommand({
  words: ['mcp', 'add'],
  summary: 'Write a server into the project or user config.',
  positionals: ['ID'],
  options: {
    transport: { value: 'stdio|http', help: 'how to reach it (default: what --command or --url implies)' },
    command: { value: 'PROGRAM', help: 'stdio: the program to start' },
    arg: { value: 'VALUE', many: true, help: 'stdio: an argument of the program' },
    cwd: { value: 'DIR', help: 'stdio: where the program starts' },
    env: { value: 'KEY=VALUE', many: true, help: 'stdio: a variable of the program' },
    url: { value: 'URL', help: 'http: the endpoint' },
    header: { value: 'KEY=VALUE', many: true, help: 'http: a header of every request' },
    enabled: { value: 'true|false', help: 'whether it is switched on (default: true)' },
    trust: { value: 'trusted|untrusted', help: 'whether its tools run without asking (default: untrusted)' },
    'request-timeout-ms': { value: 'MS', help: 'how long a control request may take' },
    scope: { value: 'project|global', help: 'which file to write (default: project)' },
    replace: { help: 'overwrite a server of the same id' },
  },
  details: `example: junctor mcp add fs --command npx --arg -y --arg @modelcontextprotocol/server-filesystem --arg .
An argument that starts with a dash is written --arg=-y.`,
  async run(context, { options, words }) {
    const id = words[0] as string;
    const definition = definitionFrom(options);
    const file = await fileOf(context, options.scope ?? 'project');
    const { addServer } = await import('@junctor/core/inside');
    await addServer(file, id, definition, { replace: options.replace });
    context.answer({
      json: { id, file, transport: definition.transport, replaced: options.replace },
      text: `added server '${id}' to ${file}`,
    });
    context.talk(`next: junctor mcp tools ${id}`);
  },
});

type AddOptions = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

function definitionFrom(options: AddOptions): McpServerDef {
  const transport = options.transport ?? (options.url === undefined ? 'stdio' : 'http');
  const common = {
    ...(options.enabled === undefined
      ? {}
      : { enabled: oneOf('enabled', options.enabled, ['true', 'false']) === 'true' }),
    ...(options.trust === undefined ? {} : { trust: oneOf('trust', options.trust, ['trusted', 'untrusted']) }),
    ...(options['request-timeout-ms'] === undefined
      ? {}
      : { request_timeout_ms: wholeNumber('request-timeout-ms', options['request-timeout-ms']) }),
  };
  if (transport === 'http') {
    refuseOthers('http', options, ['command', 'arg', 'cwd', 'env']);
    return {
      transport,
      url: required('http', 'url', options.url),
      ...filled('headers', pairs('header', options.header)),
      ...common,
    } as McpServerDef;
  }
  if (transport === 'stdio') {
    refuseOthers('stdio', options, ['url', 'header']);
    const args = options.arg as readonly string[];
    return {
      transport,
      command: required('stdio', 'command', options.command),
      ...(args.length > 0 ? { args } : {}),
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...filled('env', pairs('env', options.env)),
      ...common,
    } as McpServerDef;
  }
  throw new JunctorError('usage', `--transport cannot be '${transport}'.`, { hint: 'use stdio or http' });
}

async function fileOf(context: Context, scope: string): Promise<string> {
  const { discoverMcpConfigPath } = await import('@junctor/core');
  const { newProjectFile, userConfigPath } = await import('@junctor/core/inside');
  if (context.global.config) return context.global.config;
  if (oneOf('scope', scope, ['project', 'global']) === 'global') return userConfigPath(context.surroundings);
  return (await discoverMcpConfigPath(context.surroundings)) ?? newProjectFile(context.surroundings);
}

function required(transport: string, name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new JunctorError('usage', `A ${transport} server needs --${name}.`, { hint: 'junctor mcp add --help' });
}

function refuseOthers(transport: string, options: AddOptions, names: readonly string[]): void {
  const given = names.find(name =>
    Array.isArray(options[name]) ? options[name].length > 0 : options[name] !== undefined,
  );
  if (!given) return;
  throw new JunctorError('usage', `--${given} does not go with transport ${transport}.`, {
    hint: 'junctor mcp add --help',
  });
}

function pairs(name: string, given: unknown): Record<string, string> {
  return Object.fromEntries(
    (given as readonly string[]).map(text => {
      const at = text.indexOf('=');
      if (at < 1) throw new JunctorError('usage', `--${name} needs KEY=VALUE.`, { hint: `--${name} NAME=value` });
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

function filled(key: string, values: Record<string, string>): object {
  return Object.keys(values).length > 0 ? { [key]: values } : {};
}

function oneOf(name: string, value: unknown, words: readonly string[]): string {
  if (words.includes(String(value))) return String(value);
  throw new JunctorError('usage', `--${name} cannot be '${value}'.`, { hint: `use ${words.join(' or ')}` });
}

function wholeNumber(name: string, value: unknown): number {
  const number = Number(value);
  if (Number.isInteger(number) && number > 0) return number;
  throw new JunctorError('usage', `--${name} needs a whole number above 0, not '${value}'.`);
}
