/** One change of a JSON text, as splices that leave everything else alone. */
import type { Change } from '../changes.ts';
import { appendItem, type CommaList, removeItem } from '../comma-list.ts';
import { indentationAt, type Splice } from '../splice.ts';
import { findMember, type JsonMember, membersOf } from './json-nodes.ts';
import { renderJson, styleOf } from './json-render.ts';

export function jsonSplices(text: string, change: Change): Splice[] {
  const style = styleOf(text);
  if (change.kind === 'replace') {
    const member = findMember(text, change.path);
    if (!member) return [];
    return [{ ...member.value, text: renderJson(change.value, style, indentationAt(text, member.whole.from)) }];
  }
  const holder = findMember(text, change.path.slice(0, -1));
  const step = change.path.at(-1);
  if (!holder || step === undefined) return [];
  const members = membersOf(text, holder.value);
  if (change.kind === 'remove') {
    const index = typeof step === 'number' ? step : members.findIndex(member => member.name === step);
    return removeItem(text, listOf(holder, members), index);
  }
  const key = typeof step === 'string' ? `${JSON.stringify(step)}: ` : '';
  return appendItem(text, listOf(holder, members), {
    ownLine: !style.oneLine,
    step: style.step,
    padding: typeof step === 'string' ? ' ' : '',
    render: indentation => key + renderJson(change.value, style, indentation),
  });
}

function listOf({ value: { from, to } }: JsonMember, members: readonly JsonMember[]): CommaList {
  return { inside: { from: from + 1, to: to - 1 }, items: members.map(member => member.whole), comments: 'slashes' };
}
