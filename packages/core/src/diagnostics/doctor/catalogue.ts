/** What a server offers, and what that costs a model that gets all of it. Asked over a link that is open. */

import { isJunctorError, sentenceOf } from '../../base/error.ts';
import { monotonicMs } from '../../base/time/monotonic.ts';
import { stepAtCommandLine } from '../../base/told.ts';
import { definitionTokens } from '../../catalogue/definition-tokens.ts';
import type { ToolDefinition } from '../../catalogue/entry.ts';
import { type ListKind, PROMPTS, RESOURCE_TEMPLATES, RESOURCES, TOOLS } from '../../catalogue/lists/list-kind.ts';
import { type Collected, readList } from '../../catalogue/lists/lists.ts';
import type { Link } from '../../connections/link.ts';
import { counted, type Finding, failed } from './finding.ts';
import { examineSchemas } from './schemas.ts';

/** `onTools` sees what the config lets through. */
export async function examineCatalogue(
  link: Link,
  onTools: (tools: readonly ToolDefinition[]) => void = () => {},
): Promise<Finding[]> {
  const { server } = link;
  try {
    const since = monotonicMs();
    const tools = await readList(link, TOOLS, tool => link.admit(tool));
    const ms = Math.round(monotonicMs() - since);
    const others = await Promise.all(
      [RESOURCES, RESOURCE_TEMPLATES, PROMPTS].map(async kind => ({
        noun: kind.noun,
        ...(await countOf(link, kind as ListKind<unknown>)),
      })),
    );
    const offered = tools.items.filter(({ name }) => server.offers(name));
    onTools(offered);
    const schemas = examineSchemas(offered);
    return [{ ...toolFinding(link, tools, offered, others), ms }, ...(schemas ? [schemas] : [])];
  } catch (error) {
    if (!isJunctorError(error)) throw error;
    const hint = stepAtCommandLine(error) ?? `see what it says: junctor mcp tools ${server.id} --fresh --debug`;
    return [failed('tools', error, { fix: hint })];
  }
}

interface Other {
  readonly noun: string;
  readonly count: number;
  /** As lines for people. */
  readonly troubles: readonly string[];
}

function toolFinding(
  { server, greeting }: Link,
  { items, skipped, repaired, pages }: Collected<ToolDefinition>,
  offered: readonly ToolDefinition[],
  others: readonly Other[],
): Finding {
  const tokens = definitionTokens(offered);
  const hidden = items.length - offered.length;
  const lists = others.filter(({ count }) => count > 0).map(({ noun, count }) => counted(count, noun));
  const size = greeting.capabilities.tools === undefined ? 'it offers no tools' : counted(offered.length, 'tool');
  const troubles = [...troublesWith('', { skipped, repaired }), ...others.flatMap(other => other.troubles)];
  const nothingLeft = items.length > 0 && offered.length === 0;
  const fix = nothingLeft
    ? `its tools are all left out by the config: junctor explain ${server.id}`
    : troubles.length > 0
      ? 'report to the author of the server what it lists wrongly'
      : undefined;
  return {
    step: 'tools',
    outcome: fix === undefined ? 'ok' : 'warn',
    detail: [
      `${size}${pages > 1 ? ` on ${pages} pages` : ''}, ${counted(tokens, 'token')}`,
      ...(hidden > 0 ? [`${hidden} left out by the config`] : []),
      ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
      ...lists,
    ].join('; '),
    ...(troubles.length > 0 ? { lines: troubles } : {}),
    ...(fix === undefined ? {} : { fix }),
    facts: {
      tools: offered.length,
      hidden,
      skipped,
      pages,
      tokens,
      ...Object.fromEntries(others.map(({ noun, count }) => [`${noun.replace(' ', '_')}s`, count])),
    },
  };
}

/** What goes wrong here costs nobody the tools. */
async function countOf(link: Link, kind: ListKind<unknown>): Promise<Omit<Other, 'noun'>> {
  try {
    const { items, skipped, repaired } = await readList(link, kind);
    return { count: items.length, troubles: troublesWith(`${kind.noun} `, { skipped, repaired }) };
  } catch (error) {
    return { count: 0, troubles: [`its ${kind.noun}s cannot be listed: ${sentenceOf(error)}`] };
  }
}

function troublesWith(
  prefix: string,
  { skipped, repaired = [] }: Pick<Collected<unknown>, 'skipped' | 'repaired'>,
): string[] {
  return [
    ...skipped.map(({ name, because }) => `${prefix}${name} cannot be used: ${because}`),
    ...repaired.map(({ name, because }) => `${prefix}${name} is used in part: ${because}`),
  ];
}
