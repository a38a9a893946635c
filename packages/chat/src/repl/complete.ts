/** What a line could go on with: commands, servers, prompts and resources. */
import type { Host } from '@junctor/core';
import { SLASH_COMMANDS } from '../slash/commands.ts';

export interface Completed {
  readonly text: string;
  readonly options: readonly string[];
}

const MOST_SHOWN = 40;

export async function complete(text: string, host: Host): Promise<Completed> {
  const mention = /(?:^|\s)(@\S*)$/.exec(text)?.[1];
  const begun = mention ?? (text.startsWith('/') ? text : undefined);
  if (begun === undefined) return { text, options: [] };
  const all = mention === undefined ? await commands(text, host) : await resources(host);
  const fitting = [...new Set(all)].filter(one => one.startsWith(begun)).sort();
  const [only] = fitting;
  if (only === undefined) return { text, options: [] };
  const common = fitting.length === 1 ? `${only} ` : commonStart(fitting);
  return { text: text.slice(0, text.length - begun.length) + common, options: fitting.slice(0, MOST_SHOWN) };
}

async function commands(text: string, host: Host): Promise<string[]> {
  const servers = [...host.loaded.servers.keys()];
  const own = SLASH_COMMANDS.flatMap(({ name, takesServer }) => [
    `/${name}`,
    ...(takesServer ? servers.map(id => `/${name} ${id}`) : []),
  ]);
  const prompts = text.startsWith('/mcp') ? [] : await host.prompts().catch(() => []);
  return [
    ...own,
    ...servers.map(id => `/mcp ${id}`),
    ...prompts.map(({ server, definition }) => `/${server}:${definition.name}`),
  ];
}

async function resources(host: Host): Promise<string[]> {
  const found = await host.resources().catch(() => []);
  return found.map(({ server, definition }) => `@${server}:${definition.uri}`);
}

function commonStart(words: readonly string[]): string {
  let start = words[0] ?? '';
  for (const word of words) while (!word.startsWith(start)) start = start.slice(0, -1);
  return start;
}
