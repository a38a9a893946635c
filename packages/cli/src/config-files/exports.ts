/** Your servers in the words of one agent. */

import { isEnabled, loadMcpConfig, type McpServerDef, readText } from '@junctor/core/config-read';
import {
  type Dialect,
  dialectNamed,
  formatName,
  hideSecrets,
  loadFormat,
  TrustBook,
  writeFileAtomic,
} from '@junctor/core/config-write';
import { DIALECT_NAMES, dataDirectory, isDialectName, JunctorError } from '@junctor/core/light';
import { type Context, loadOptions } from '../context.ts';

export interface ExportTarget {
  readonly file: string;
  /** As a file of its own, whatever the target holds. */
  readonly fresh: boolean;
  readonly writes: boolean;
}

export interface Exported {
  readonly before: string;
  readonly after: string;
  readonly exported: readonly string[];
  readonly leftOut: readonly { readonly id: string; readonly because: string }[];
}

export async function exportServers(
  context: Context,
  agent: string,
  via: 'hub' | 'direct',
  target: ExportTarget,
): Promise<Exported> {
  const dialect = agentDialect(agent);
  const format = await loadFormat(formatName(target.file));
  const before = target.fresh ? '' : ((await readText(target.file, false)) ?? '');
  const text = before.trim() === '' ? format.empty : before;
  const read = format.read(target.file, text);
  const value = read.ok ? read.document.value : {};
  if (!read.ok && before.trim() !== '') {
    throw new JunctorError('config_unreadable', `${target.file} cannot be edited: it is not valid.`, {
      hint: `junctor validate ${target.file}`,
    });
  }
  const { changes, withheld } =
    via === 'hub' ? { changes: [hubEntry(dialect)], withheld: [] } : await directEntries(context);
  const writing = dialect.write?.(value, changes) ?? { edits: [], leftOut: [] };
  const after = format.edit(text, writing.edits);
  if (target.writes) await writeFileAtomic(target.file, after);
  const missing = new Set(writing.leftOut.map(({ id }) => id));
  const exported = changes.map(({ id }) => id).filter(id => !missing.has(id));
  return { before, after, exported, leftOut: [...withheld, ...writing.leftOut] };
}

/** The agent's own user file: the first of its places. */
export function userFileOf(context: Context, agent: string): string {
  const [own] = agentDialect(agent).files?.(context.surroundings) ?? [];
  if (own) return own.path;
  throw new JunctorError('usage', `'${agent}' has no file of its own.`, { hint: 'give one with --out FILE' });
}

function agentDialect(agent: string): Dialect {
  if (!isDialectName(agent)) {
    throw new JunctorError('usage', `There is no agent '${agent}'.`, { hint: `one of: ${DIALECT_NAMES.join(', ')}` });
  }
  const dialect = dialectNamed(agent);
  if (!dialect.write)
    throw new JunctorError('usage', `Junctor reads files of ${dialect.title}, but does not write them.`);
  return dialect;
}

interface DirectEntries {
  readonly changes: readonly { id: string; definition: McpServerDef }[];
  readonly withheld: readonly { id: string; because: string }[];
}

/** What nobody approved is not handed on to an agent, and no secret is copied into a file of another program. */
async function directEntries(context: Context): Promise<DirectEntries> {
  const { surroundings, global } = context;
  const { servers } = await loadMcpConfig(loadOptions(context));
  const trust = await new TrustBook(dataDirectory(surroundings, global.data), surroundings).states(servers.values());
  const enabled = [...servers.values()].filter(isEnabled);
  const withheld = enabled.flatMap(({ id, definition }) => {
    if (trust.get(id) === 'waiting') return [{ id, because: `it waits for your approval: junctor trust add ${id}` }];
    const [secret] = hideSecrets('', id, definition).secrets;
    if (!secret) return [];
    const key = secret.name.split('.').at(-2);
    return [{ id, because: `it holds the secret ${key} as plain text; put it into a variable, as \${${key}}` }];
  });
  const out = new Set(withheld.map(({ id }) => id));
  return {
    changes: enabled.filter(({ id }) => !out.has(id)).map(({ id, definition }) => ({ id, definition })),
    withheld,
  };
}

const HUB_URL = 'http://127.0.0.1:7717';

/** One entry for everything. The token stays in a variable; an agent that cannot read variables gets a command instead. */
function hubEntry(dialect: Dialect): { id: string; definition: McpServerDef } {
  const overHttp: McpServerDef = {
    transport: 'http',
    url: `${HUB_URL}/mcp/${dialect.name}`,
    headers: { Authorization: `Bearer \${JUNCTOR_TOKEN}` },
  };
  const possible = dialect.write?.({}, [{ id: 'junctor', definition: overHttp }]).leftOut.length === 0;
  const byCommand: McpServerDef = { transport: 'stdio', command: 'npx', args: ['junctor', 'connect', dialect.name] };
  return { id: 'junctor', definition: possible ? overHttp : byCommand };
}
