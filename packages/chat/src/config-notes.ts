/** What is wrong in the config, or good to know of it, as lines: the same that `mcp list` and the hub print. */
import type { Host } from '@junctor/core';
import { describeProblem } from '@junctor/core/config-read';

export function configNotes(host: Pick<Host, 'loaded' | 'mask'>): string[] {
  const { problems, notices } = host.loaded;
  return [
    ...problems.map(problem => host.mask(`warning: ${describeProblem(problem)}`)),
    ...notices.map(notice => host.mask(`note: ${notice}`)),
  ];
}

/** Those that were not there before: a reload need not repeat the others. */
export function newNotes(before: readonly string[], host: Pick<Host, 'loaded' | 'mask'>): string[] {
  return configNotes(host).filter(note => !before.includes(note));
}

/** Which servers there are, for the first line of a chat. */
export function serversLine(host: Host): string {
  const { problems } = host.loaded;
  const waiting = host.resolution.leftOut.filter(({ kind }) => kind === 'waiting').map(({ id }) => id);
  const words = [
    ...(host.links.ids.length > 0 ? [`MCP servers: ${host.links.ids.join(', ')}`] : []),
    ...(waiting.length > 0 ? [`waiting for approval: ${waiting.join(', ')}`] : []),
  ];
  if (words.length > 0) return words.join('; ');
  if (problems.length > 0) return 'no usable MCP servers';
  return host.loaded.servers.size > 0 ? 'no MCP servers in use' : 'no MCP servers configured';
}
