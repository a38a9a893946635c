/** What connected servers say about themselves when a connection begins: who they are, what they can do, how to use them. */

import { cleanAndCut } from '../catalogue/untrusted/clean-text.ts';
import { cleanValues } from '../catalogue/untrusted/clean-values.ts';
import { cleanInstructions, type ServerInstructions } from '../catalogue/untrusted/instructions.ts';
import type { Links } from '../connections/links.ts';
import type { EraName } from '../connections/protocol/envelope.ts';
import type { Greeting } from '../connections/protocol/handshake.ts';

/** One server, in its own words. All texts are cleaned of what nobody sees; none of them can be relied on. */
export interface ServerInfo {
  /** Its id in the config. */
  readonly server: string;
  /** What it calls itself. */
  readonly name: string;
  /** The name that people read, where it has another. */
  readonly title?: string;
  /** Its version. */
  readonly version: string;
  /** What it is for. */
  readonly description?: string;
  /** Its home page. */
  readonly websiteUrl?: string;
  /** Pictures of it. */
  readonly icons?: readonly ServerIcon[];
  /** The version of MCP that is spoken with it. */
  readonly protocolVersion: string;
  /** Whether that version has sessions (`legacy`) or not (`modern`). */
  readonly era: EraName;
  /** What it can do, as it says. */
  readonly capabilities: Readonly<Record<string, unknown>>;
}

/** A picture of a server. Its address is the server's choice: fetch it only where you would fetch any address of a stranger. */
export interface ServerIcon {
  /** An address, or the picture itself as a data URI. */
  readonly src: string;
  readonly [field: string]: unknown;
}

/** Which servers are asked about. */
export interface ServerInfoOptions {
  /** Only servers that are connected now: none is started or waited for. Default: false. */
  readonly connected?: boolean | undefined;
}

const LONGEST_NAME = 200;
const LONGEST_DESCRIPTION = 1000;

export async function serverInfo(
  links: Links,
  only: string | undefined,
  options: ServerInfoOptions,
): Promise<ServerInfo[]> {
  return (await greetings(links, only, options)).map(([server, greeting]) => infoOf(server, greeting));
}

export async function serverInstructions(
  links: Links,
  only: string | undefined,
  options: ServerInfoOptions,
): Promise<ServerInstructions[]> {
  const greeted = await greetings(links, only, options);
  return greeted.flatMap(([server, { instructions }]) => cleanInstructions(server, instructions) ?? []);
}

/** Of one server, which must answer; or of every server that does. */
async function greetings(
  links: Links,
  only: string | undefined,
  { connected = false }: ServerInfoOptions,
): Promise<(readonly [string, Greeting])[]> {
  links.expectOpen();
  const greetingOf = async (id: string): Promise<readonly [string, Greeting]> => {
    const link = links.live(id) ?? (await links.ready(id));
    return [id, link.greeting];
  };
  if (only !== undefined) links.expect(only);
  const wanted = (only === undefined ? links.ids : [only]).filter(id => !connected || links.live(id));
  if (only !== undefined) return Promise.all(wanted.map(greetingOf));
  const all = await Promise.allSettled(wanted.map(greetingOf));
  return all.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
}

function infoOf(server: string, { serverInfo: said, protocolVersion, era, capabilities }: Greeting): ServerInfo {
  const { name, title, version, description, websiteUrl, icons } = (said ?? {}) as Readonly<Record<string, unknown>>;
  return {
    server,
    name: textOf(name) ?? server,
    ...given('title', textOf(title)),
    version: textOf(version) ?? 'unknown',
    ...given('description', textOf(description, LONGEST_DESCRIPTION)),
    ...given('websiteUrl', textOf(websiteUrl, LONGEST_DESCRIPTION)),
    ...(Array.isArray(icons) ? { icons: cleanValues(icons.filter(isIcon)) } : {}),
    protocolVersion,
    era,
    capabilities,
  };
}

function textOf(value: unknown, maxChars: number = LONGEST_NAME): string | undefined {
  return (typeof value === 'string' && cleanAndCut(value, maxChars)) || undefined;
}

function given<Key extends string>(key: Key, value: string | undefined): { readonly [K in Key]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: string };
}

function isIcon(value: unknown): value is ServerIcon {
  return typeof (value as Partial<ServerIcon> | null)?.src === 'string';
}
