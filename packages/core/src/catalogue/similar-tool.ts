/** The tool that a wrong public name was probably meant for. */
import { nearest } from '../base/text/nearest.ts';
import type { Entry } from './entry.ts';

/** The part that names the server must not make two different tools look alike. */
export function similarName(name: string, entries: readonly Entry[]): string | undefined {
  const alone = entries.filter(({ tool }) => tool === name);
  if (alone.length > 0) return alone.length === 1 ? alone[0]?.name : undefined;
  const beside = entries.filter(entry => name.startsWith(prefixOf(entry)));
  const prefix = beside[0] && prefixOf(beside[0]);
  if (prefix === undefined) {
    return nearest(
      name,
      entries.map(entry => entry.name),
    );
  }
  const near = nearest(
    name.slice(prefix.length),
    beside.map(entry => entry.name.slice(prefix.length)),
  );
  return near === undefined ? undefined : prefix + near;
}

/** What stands before the tool in a public name; nothing where the name had to be changed. */
function prefixOf({ name, tool }: Entry): string {
  return name.endsWith(tool) ? name.slice(0, -tool.length) : name;
}
