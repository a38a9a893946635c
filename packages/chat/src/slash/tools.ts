import type { ToolDefinition } from '@junctor/core';
import { NATIVE_TOOLS } from '../native/native-tools.ts';
import type { SlashCommand } from './slash-command.ts';
import { cell } from './table.ts';

/** Servers that are still starting are not waited for: the list is for now. */
const WAIT_MS = 2000;

/** Of one category; /mcp list-tools has them all. */
const MAX_NAMES = 12;

export const tools: SlashCommand = {
  name: 'tools',
  summary: 'list what the model can call, by server and category',
  async run(_words, { host, agent, say }) {
    const native = `chat: ${NATIVE_TOOLS.map(({ name }) => name).join(', ')}`;
    const ready = host.status().filter(({ state, id }) => state === 'ready' && !agent.away.has(id));
    const servers = ready.map(({ id }) => id);
    const { entries } = await host.snapshot({ servers, patienceMs: WAIT_MS });
    const lines = ready.flatMap(({ id, tools: count }) => {
      const own = entries.filter(({ server }) => server === id);
      const head = `${id}: ${count === 1 ? '1 tool' : `${count} tools`} (/mcp list-tools)`;
      const groups = Map.groupBy(own, ({ definition }) => categoryOf(definition));
      return [
        head,
        ...[...groups].sort(byCategory).map(([name, of]) =>
          groupLine(
            name,
            of.map(({ tool }) => tool),
          ),
        ),
      ];
    });
    say([native, ...lines].join('\n'));
  },
};

type Words = Readonly<Record<string, unknown>>;

const BY_HINTS = ['read-only', 'changes things', 'may destroy', 'not stated'] as const;

/** What the server says, else what its hints say. Both are its own words: they allow nothing. */
function categoryOf(definition: ToolDefinition): string {
  const { annotations: hints = {}, _meta: meta = {} } = definition as Readonly<Record<string, Words | undefined>>;
  const named = [meta.category, hints.category].find(value => typeof value === 'string' && value.trim() !== '');
  if (typeof named === 'string') return cell(named, 40);
  if (hints.readOnlyHint === true) return BY_HINTS[0];
  if (hints.destructiveHint === true) return BY_HINTS[2];
  return hints.readOnlyHint === false || hints.destructiveHint === false ? BY_HINTS[1] : BY_HINTS[3];
}

function groupLine(name: string, names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map(one => cell(one, 64));
  const more = names.length > MAX_NAMES ? [`and ${names.length - MAX_NAMES} more`] : [];
  return `  ${name}: ${[...shown, ...more].join(', ')}`;
}

/** Categories of the server first, in order of their names. */
function byCategory([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  const place = (name: string): number => (BY_HINTS as readonly string[]).indexOf(name);
  return place(a) - place(b) || a.localeCompare(b);
}
