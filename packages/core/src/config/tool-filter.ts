/** Which of a server's tools exist for anybody, by globs on the names the server itself uses. Deny wins. */
import { compileGlob } from '../base/glob.ts';
import type { McpServerDef } from './server-schema.ts';

export function toolFilter({ tools }: Pick<McpServerDef, 'tools'>): (tool: string) => boolean {
  const allow = tools?.allow?.map(compileGlob);
  const deny = tools?.deny?.map(compileGlob) ?? [];
  return tool => (allow?.some(pattern => pattern.test(tool)) ?? true) && !deny.some(pattern => pattern.test(tool));
}
