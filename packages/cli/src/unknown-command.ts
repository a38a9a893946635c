/** A command that is not there: it is told with the one that was probably meant. */
import { JunctorError, nearest } from '@junctor/core/light';

/** What other programs call these verbs. */
const OURS: ReadonlyMap<string, string> = new Map([
  ...['rm', 'delete', 'uninstall'].map(verb => [verb, 'remove'] as const),
  ...['show', 'info', 'describe'].map(verb => [verb, 'get'] as const),
  ['ls', 'list'],
  ['install', 'add'],
  ['sync', 'export'],
  ['start', 'hub'],
  ['serve', 'hub'],
]);

/** `names`: those of all commands, such as `mcp add`, in the order help shows them. */
export function unknownCommand(words: readonly string[], names: readonly string[]): JunctorError {
  const [first = '', ...rest] = words.slice(0, 2).map(word => OURS.get(word) ?? word);
  const meant = [first, ...rest].join(' ');
  const near = [meant, first].find(name => names.includes(name)) ?? verbAlone(first, names) ?? nearest(meant, names);
  const close = near ?? nearest(first, names) ?? verbAlone(nearest(first, names.map(verbOf)), names);
  const inGroup = names.filter(name => name.startsWith(`${first} `));
  const group = inGroup.length > 0 && `one of: ${inGroup.join(', ')}`;
  const hint = close ? `did you mean '${close}'?` : group || 'junctor --help';
  return new JunctorError('usage', `There is no command '${words.slice(0, 2).join(' ')}'.`, { hint });
}

/** `list` for `mcp list`: the first noun of the table that has it is the likeliest. */
function verbAlone(verb: string | undefined, names: readonly string[]): string | undefined {
  return verb === undefined ? undefined : names.find(name => name.includes(' ') && verbOf(name) === verb);
}

function verbOf(name: string): string {
  return name.split(' ').at(-1) as string;
}
