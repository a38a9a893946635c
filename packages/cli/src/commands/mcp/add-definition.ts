/** From the options of `mcp add` to a server definition. */
import { type McpServerDef, TRANSPORTS } from '@junctor/core/config-read';
import { JunctorError } from '@junctor/core/light';
import { oneOf } from '../../choice.ts';

type AddOptions = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** Asks a person for a value that was named but not given. */
export type Prompt = (name: string) => Promise<string>;

const OAUTH_KEYS = [
  'authorization-url',
  'token-url',
  'registration-url',
  'client-id',
  'client-secret',
  'scope',
] as const;
const REMOTE_ONLY = ['url', 'header', ...OAUTH_KEYS.map(key => `oauth-${key}`)];
const PROGRAM_ONLY = ['arg', 'cwd', 'env'];

export async function definitionFrom(options: AddOptions, prompt: Prompt): Promise<McpServerDef> {
  const transport = oneOf('transport', options.transport ?? impliedBy(options.url), TRANSPORTS);
  const definition =
    transport === 'stdio' ? await stdioServer(options, prompt) : await remoteServer(transport, options, prompt);
  return { ...definition, ...commonKeys(options) } as McpServerDef;
}

function impliedBy(url: unknown): string {
  if (typeof url !== 'string') return 'stdio';
  return /^wss?:/i.test(url) ? 'ws' : 'http';
}

async function stdioServer(options: AddOptions, prompt: Prompt): Promise<object> {
  const remote = firstGiven(options, REMOTE_ONLY);
  if (remote)
    throw new JunctorError('usage', `--${remote} does not go with transport stdio.`, {
      hint: 'junctor mcp add --help',
    });
  return { transport: 'stdio', ...(await program(required('stdio', 'command', options.command), options, prompt)) };
}

async function program(command: string, options: AddOptions, prompt: Prompt): Promise<object> {
  const args = options.arg as readonly string[];
  refuseShellLine(command);
  return {
    command,
    ...(args.length > 0 ? { args } : {}),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...filled('env', await pairs('env', options.env, prompt)),
  };
}

/** A whole command line as one word is the most common slip: no shell takes it apart. */
function refuseShellLine(command: string): void {
  if (!/^[\w.@-]+\s/.test(command)) return;
  const words = command.trim().split(/\s+/);
  throw new JunctorError('usage', `--command takes the program alone, not '${command}'.`, {
    hint: `put the line after two dashes: junctor mcp add ID -- ${words.join(' ')}`,
  });
}

/** With a program it is one that Junctor starts, and that serves the url. */
async function remoteServer(transport: string, options: AddOptions, prompt: Prompt): Promise<object> {
  const { command } = options;
  const idle = command === undefined ? firstGiven(options, PROGRAM_ONLY) : undefined;
  if (idle)
    throw new JunctorError('usage', `--${idle} is for a program that Junctor starts, and none is named.`, {
      hint: 'name the one that serves the url: -- PROGRAM ARGS…; what is sent with every request is a --header',
    });
  return {
    transport,
    url: required(transport, 'url', options.url),
    ...filled('headers', await pairs('header', options.header, prompt)),
    ...(typeof command === 'string' ? await program(command, options, prompt) : {}),
    ...filled('oauth', await oauthKeys(options, prompt)),
  };
}

async function oauthKeys(options: AddOptions, prompt: Prompt): Promise<Record<string, string>> {
  const entries: [string, string][] = [];
  for (const key of OAUTH_KEYS) {
    const given = options[`oauth-${key}`];
    if (typeof given !== 'string') continue;
    const value = given === '' && key === 'client-secret' ? await prompt('--oauth-client-secret') : given;
    entries.push([key.replaceAll('-', '_'), value]);
  }
  return Object.fromEntries(entries);
}

function commonKeys(options: AddOptions): object {
  const { enabled, trust, mode } = options;
  const timeout = options['request-timeout-ms'];
  return {
    ...(enabled === undefined ? {} : { enabled: oneOf('enabled', enabled, ['true', 'false']) === 'true' }),
    ...(trust === undefined ? {} : { trust: oneOf('trust', trust, ['trusted', 'untrusted']) }),
    ...(mode === undefined ? {} : { mode: oneOf('mode', mode, ['shared', 'per_session', 'auto']) }),
    ...(timeout === undefined ? {} : { request_timeout_ms: wholeNumber('request-timeout-ms', timeout) }),
  };
}

/** `Authorization: Bearer x`, as it is sent and as other programs take it. */
const AS_SENT = /^([\w-]+):\s*(.*)$/s;

async function pairs(name: string, given: unknown, prompt: Prompt): Promise<Record<string, string>> {
  const entries: [string, string][] = [];
  for (const text of given as readonly string[]) {
    const [, header, value] = (name === 'header' && AS_SENT.exec(text)) || [];
    if (header !== undefined && value) {
      entries.push([header, value]);
      continue;
    }
    const at = text.indexOf('=');
    if (at === 0 || text === '') {
      throw new JunctorError('usage', `--${name} needs KEY=VALUE.`, { hint: `--${name} NAME=value` });
    }
    if (at < 0) entries.push([text, await prompt(`--${name} ${text}`)]);
    else entries.push([text.slice(0, at), text.slice(at + 1)]);
  }
  return Object.fromEntries(entries);
}

function required(transport: string, name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  const article = transport === 'http' || transport === 'sse' ? 'An' : 'A';
  throw new JunctorError('usage', `${article} ${transport} server needs --${name}.`, {
    hint: 'a program: junctor mcp add ID -- PROGRAM ARGS…; an address: junctor mcp add ID --url URL',
  });
}

function firstGiven(options: AddOptions, names: readonly string[]): string | undefined {
  return names.find(name => {
    const value = options[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  });
}

function filled(key: string, values: Record<string, string>): object {
  return Object.keys(values).length > 0 ? { [key]: values } : {};
}

function wholeNumber(name: string, value: unknown): number {
  const number = Number(value);
  if (Number.isInteger(number) && number > 0) return number;
  throw new JunctorError('usage', `--${name} needs a whole number above 0, not '${value}'.`);
}
