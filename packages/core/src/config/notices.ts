/** What is good to know about a config and no mistake: sentences for people. */
import type { LoadedServer } from './layers.ts';

/** Keys that are for a program, on servers at an address that start none. */
export function idleLaunchKeys(servers: Iterable<LoadedServer>): string[] {
  return [...servers].flatMap(({ id, definition, source }) => {
    if (definition.transport === 'stdio' || definition.command !== undefined) return [];
    const idle = (['args', 'cwd', 'env'] as const).filter(key => definition[key] !== undefined);
    if (idle.length === 0) return [];
    const keys = idle.map(key => `'${key}'`).join(' and ');
    return [
      `${keys} of server '${id}' in ${source} ${idle.length === 1 ? 'has' : 'have'} no effect: it is reached at an address, and starts no program.`,
    ];
  });
}
