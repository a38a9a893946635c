/**
 * What models do with resources and prompts: Junctor's own tools, each asking servers for something else than to run a tool.
 * Reading and getting is judged like a call of that name on that server, and all answers are cut like results.
 */
import { JunctorError } from '../../base/error.ts';
import type { CallOptions, ToolRef } from '../../calls/call.ts';
import {
  PROMPT_GET,
  PROMPTS_LIST,
  RESOURCE_READ,
  RESOURCE_TEMPLATES_LIST,
  RESOURCES_LIST,
} from '../../catalogue/builtin-tools/other-lists-tools.ts';
import type { OwnDefinition } from '../../catalogue/builtin-tools/own-definition.ts';
import type { Offered } from '../../catalogue/lists/other-lists-answers.ts';
import {
  promptLine,
  promptParts,
  resourceLine,
  resourceParts,
  templateLine,
} from '../../catalogue/lists/other-lists-text.ts';
import { problemWith } from '../../catalogue/search-mode/arguments.ts';
import { unknownServer } from '../../resolve/unknown-server.ts';
import { type ToolResult, toToolResult } from '../../results/tool-result.ts';
import type { Host } from '../host.ts';

type Arguments = Readonly<Record<string, unknown>>;

export interface OwnToolOptions extends CallOptions {
  /** Only these servers. Default: all. */
  readonly servers?: readonly string[] | undefined;
}

export interface OtherListsTool extends OwnDefinition {
  /** What a server must have for the tool to be of use. */
  readonly capability: 'resources' | 'prompts';
  /** The pair that rules are about. Undefined for a list, which several servers make up. */
  ref(args: Arguments): ToolRef | undefined;
  run(host: Host, args: Arguments, options: OwnToolOptions): Promise<ToolResult>;
}

export const OTHER_LISTS_TOOLS: readonly OtherListsTool[] = [
  listing(RESOURCES_LIST, 'resources', (host, server) => host.resources(server), resourceLine),
  listing(RESOURCE_TEMPLATES_LIST, 'resources', (host, server) => host.resourceTemplates(server), templateLine),
  asking(RESOURCE_READ, 'resources', async (host, { server, uri }, options) =>
    resourceParts(await host.readResource(String(server), String(uri), options)),
  ),
  listing(PROMPTS_LIST, 'prompts', (host, server) => host.prompts(server), promptLine),
  asking(PROMPT_GET, 'prompts', async (host, { server, name, arguments: args }, options) =>
    promptParts(await host.getPrompt(String(server), String(name), texts(args), options)),
  ),
];

/** Those that are of use with the servers that are connected now. */
export function usefulWith(host: Host, servers: readonly string[] = host.links.ids): OtherListsTool[] {
  const capabilities = servers.map(id => host.links.live(id)?.greeting.capabilities);
  return OTHER_LISTS_TOOLS.filter(({ capability }) => capabilities.some(has => has?.[capability] !== undefined));
}

/** Undefined: it is none of them. */
export function otherListsTool(name: string): OtherListsTool | undefined {
  return OTHER_LISTS_TOOLS.find(tool => tool.name === name);
}

function listing<Item>(
  definition: OwnDefinition,
  capability: OtherListsTool['capability'],
  read: (host: Host, server?: string) => Promise<Offered<Item>[]>,
  line: (server: string, item: Item) => string,
): OtherListsTool {
  const { name } = definition;
  return {
    ...definition,
    capability,
    ref: () => undefined,
    async run(host, args, { servers, ...options }) {
      const only = checked(host, definition, args, servers);
      const shown = ({ server }: Offered<Item>): boolean =>
        (servers?.includes(server) ?? true) && host.judge(server, name).effect !== 'deny';
      const lines = (await read(host, only)).filter(shown).map(one => line(one.server, one.definition));
      const text = lines.join('\n') || `No ${capability} ${only === undefined ? '' : `of '${only}' `}are there.`;
      return host.cutResult(
        { server: only ?? '', tool: name },
        toToolResult({ content: [{ type: 'text', text }] }),
        options,
      );
    },
  };
}

function asking(
  definition: OwnDefinition,
  capability: OtherListsTool['capability'],
  ask: (host: Host, args: Arguments, options: CallOptions) => Promise<object[]>,
): OtherListsTool {
  const ref = ({ server }: Arguments): ToolRef => ({ server: String(server), tool: definition.name });
  return {
    ...definition,
    capability,
    ref,
    async run(host, args, { servers, ...options }) {
      checked(host, definition, args, servers);
      const { server: _server, ...rest } = args;
      const send = async (): Promise<unknown> => ({ content: await ask(host, args, options) });
      return host.consult({ ref: ref(args), args: rest, definition: { ...definition }, send }, options);
    },
  };
}

/** The server that is meant, where one is. */
function checked(
  host: Host,
  { name, inputSchema }: OwnDefinition,
  args: Arguments,
  servers: readonly string[] | undefined,
): string | undefined {
  const problem = problemWith(args, inputSchema);
  if (problem !== undefined) throw new JunctorError('usage', `The arguments of '${name}' do not fit: ${problem}.`);
  if (args.server === undefined) return undefined;
  const server = String(args.server);
  host.links.expect(server);
  if (servers && !servers.includes(server)) throw unknownServer(server, servers, []);
  return server;
}

/** Servers take texts only. */
function texts(args: unknown): Record<string, string> {
  const given = Object.entries((args ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    given.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}
