/** Which of a server's tools exist for anybody, by globs on the names the server itself uses. Deny wins. */
import { compileGlob } from '../base/text/glob.ts';
import type { ConfigFrame } from './schema/schema.ts';
import type { McpServerDef } from './schema/server-schema.ts';

export function toolFilter({ tools }: Pick<McpServerDef, 'tools'>): (tool: string) => boolean {
  const allow = tools?.allow?.map(compileGlob);
  const deny = tools?.deny?.map(compileGlob) ?? [];
  return tool => (allow?.some(pattern => pattern.test(tool)) ?? true) && !deny.some(pattern => pattern.test(tool));
}

/**
 * Patterns of allow lists that fit none of a server's tools: mostly a name that is misspelt. `names`: the tools that the
 * config lets through. Where several lists limit each other, nobody can tell whose fault it is.
 */
export function idlePatterns(
  id: string,
  { tools }: Pick<McpServerDef, 'tools'>,
  bundles: ConfigFrame['bundles'] = {},
  names: readonly string[],
): string[] {
  const limits = [
    ...(tools ? [tools] : []),
    ...Object.values(bundles)
      .filter(({ serverId }) => serverId === id)
      .map(({ allowTools, denyTools }) => ({ allow: allowTools, deny: denyTools })),
  ];
  const [only, ...others] = limits;
  if (!only || others.length > 0) return [];
  const denied = only.deny?.map(compileGlob) ?? [];
  return (only.allow ?? []).filter(
    pattern => !names.some(name => compileGlob(pattern).test(name)) && !denied.some(one => one.test(pattern)),
  );
}
