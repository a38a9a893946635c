/**
 * How a tool is called in public. A strategy joins the two names; what a provider cannot read is replaced, and every name
 * that had to be changed, or that two tools would share, ends in a hash of its true identity: the same name whatever else
 * is connected, and never one tool fewer.
 */
import { createHash } from 'node:crypto';

export const NAMING_STRATEGIES = {
  mcp__: { join: (server: string, tool: string) => `mcp__${server}__${tool}` },
  server_tool: { join: (server: string, tool: string) => `${server}_${tool}` },
} as const;

export type NamingStrategy = keyof typeof NAMING_STRATEGIES;

export interface NameLimits {
  readonly maxLength: number;
}

/** What every provider of today can read. */
export const COMMON_LIMITS: NameLimits = { maxLength: 64 };

const HASH_LENGTH = 8;

export interface ToolIdentity {
  readonly server: string;
  readonly tool: string;
}

/** Public names for these tools, in the same order. */
export function publicNames(
  tools: readonly ToolIdentity[],
  strategy: NamingStrategy,
  limits: NameLimits = COMMON_LIMITS,
): string[] {
  const plain = tools.map(({ server, tool }) => NAMING_STRATEGIES[strategy].join(server, tool));
  const fitting = plain.map(name => fit(name, limits));
  const uses = new Map<string, number>();
  for (const name of fitting) uses.set(name, (uses.get(name) ?? 0) + 1);
  const given = tools.map((identity, index) => {
    const name = fitting[index] as string;
    // Both of two equal names change: which came first must not matter.
    return name === plain[index] && uses.get(name) === 1 ? name : withHash(name, identity, limits);
  });
  return withoutImitations(given, tools, limits);
}

/** A tool may be called just like the changed name of another: then it is changed as well. */
function withoutImitations(given: readonly string[], tools: readonly ToolIdentity[], limits: NameLimits): string[] {
  const uses = new Map<string, number>();
  for (const name of given) uses.set(name, (uses.get(name) ?? 0) + 1);
  return given.map((name, index) => {
    const identity = tools[index] as ToolIdentity;
    const isHashed = name.endsWith(`_${identityHash(identity)}`);
    return uses.get(name) === 1 || isHashed ? name : withHash(name, identity, limits);
  });
}

/** The first eight hex digits of SHA-256 over server NUL tool. */
export function identityHash({ server, tool }: ToolIdentity): string {
  return createHash('sha256').update(`${server}\0${tool}`).digest('hex').slice(0, HASH_LENGTH);
}

function fit(name: string, { maxLength }: NameLimits): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, maxLength);
}

function withHash(name: string, identity: ToolIdentity, { maxLength }: NameLimits): string {
  return `${name.slice(0, maxLength - HASH_LENGTH - 1)}_${identityHash(identity)}`;
}
