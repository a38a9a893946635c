/** What a model or a client gets otherwise than servers offer it, for people. */
import type { FitReport } from '@junctor/core';

/** More would hide the rest; `--json` has all. */
const MOST_SHOWN = 10;

export function fitLines({ reader, tools, tokens, renamed, rewritten, dropped, notes }: FitReport): string[] {
  const lossy = rewritten.filter(one => one.lossy);
  const counts = [
    tools === 1 ? '1 tool' : `${tools} tools`,
    `${tokens} tokens`,
    `${renamed.length} renamed`,
    `${rewritten.length} rewritten${lossy.length > 0 ? ` (${lossy.length} with something lost)` : ''}`,
    `${dropped.length} left out`,
  ];
  return [
    `for ${reader}: ${counts.join(', ')}`,
    ...some(renamed.map(({ from, name, because }) => `renamed    ${from} → ${name}: ${because}`)),
    ...some(lossy.map(({ name, changes }) => `rewritten  ${name}: ${changes[0]}${more(changes.length - 1)}`)),
    ...harmless(rewritten.filter(one => !one.lossy).map(({ name }) => name)),
    ...some(dropped.map(({ name, because }) => `left out   ${name}: ${because}`)),
    ...notes.map(note => `  note: ${note}`),
  ];
}

/** One line for all: a person has nothing to decide about them. */
function harmless(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, MOST_SHOWN).join(', ');
  return [`  rewritten  with nothing lost: ${shown}${more(names.length - MOST_SHOWN)}`];
}

function some(lines: readonly string[]): string[] {
  const shown = lines.slice(0, MOST_SHOWN).map(line => `  ${line}`);
  return lines.length > MOST_SHOWN ? [...shown, `  and ${lines.length - MOST_SHOWN} more; --json has all`] : shown;
}

function more(count: number): string {
  return count > 0 ? `, and ${count} more` : '';
}
