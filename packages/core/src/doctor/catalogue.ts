/** What a server offers, and what that costs a model that gets all of it. Asked over a link that is open. */

import { isJunctorError, sentenceOf } from '../base/error.ts';
import { monotonicMs } from '../base/monotonic.ts';
import { RPC_CODE } from '../base/rpc-code.ts';
import { stepAtCommandLine } from '../base/told.ts';
import { type Collected, collect, type Page } from '../catalogue/collect.ts';
import { definitionTokens } from '../catalogue/definition-tokens.ts';
import type { ToolDefinition } from '../catalogue/entry.ts';
import { type ListKind, PROMPTS, RESOURCE_TEMPLATES, RESOURCES, TOOLS } from '../catalogue/list-kind.ts';
import type { Link } from '../link/link.ts';
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
    const tools = await listOf(link, TOOLS, tool => link.admit(tool));
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

interface Listed<Item> extends Collected<Item> {
  readonly pages: number;
}

interface Other {
  readonly noun: string;
  readonly count: number;
  readonly because?: string;
}

function toolFinding(
  { server, greeting }: Link,
  { items, skipped, pages }: Listed<ToolDefinition>,
  offered: readonly ToolDefinition[],
  others: readonly Other[],
): Finding {
  const tokens = definitionTokens(offered);
  const hidden = items.length - offered.length;
  const lists = others.filter(({ count }) => count > 0).map(({ noun, count }) => counted(count, noun));
  const size = greeting.capabilities.tools === undefined ? 'it offers no tools' : counted(offered.length, 'tool');
  const troubles = [
    ...skipped.map(({ name, because }) => `${name} cannot be used: ${because}`),
    ...others.flatMap(({ noun, because }) => (because ? [`its ${noun}s cannot be listed: ${because}`] : [])),
  ];
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

async function listOf<Item>(
  link: Link,
  kind: ListKind<Item>,
  refuse?: (item: Item) => string | undefined,
): Promise<Listed<Item>> {
  if (link.greeting.capabilities[kind.list] === undefined) return { items: [], skipped: [], pages: 0 };
  let pages = 0;
  const fetchPage = async (cursor?: string): Promise<Page> => {
    pages++;
    return (await link.request(kind.method, cursor === undefined ? {} : { cursor })) as Page;
  };
  return { ...(await collect(link.server.id, kind, fetchPage, refuse)), pages };
}

/** What goes wrong here costs nobody the tools. */
async function countOf(link: Link, kind: ListKind<unknown>): Promise<Omit<Other, 'noun'>> {
  try {
    return { count: (await listOf(link, kind)).items.length };
  } catch (error) {
    const code = isJunctorError(error, 'server_error') && (error.cause as { code?: unknown }).code;
    if (kind.optional && code === RPC_CODE.methodNotFound) return { count: 0 };
    return { count: 0, because: sentenceOf(error) };
  }
}
