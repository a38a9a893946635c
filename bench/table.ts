/** Tables as Markdown, padded so that a terminal shows them straight. */
import type { Bar, Goal } from './goals.ts';
import type { Outcome, Verdict } from './verdict.ts';

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(...[title, ...rows.map(row => row[column] ?? '')].map(width)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => pad(cell, widths, column)).join(' | ')} |`;
  const rule = `|${widths.map((size, column) => (column === 0 ? '-'.repeat(size + 2) : `${'-'.repeat(size + 1)}:`)).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

export function goalTable(verdicts: readonly Verdict[], withPeers: boolean): string {
  const head = [
    'measure',
    'goal',
    'measured',
    'over the rounds',
    'limit here',
    ...(withPeers ? ['best peer'] : []),
    '',
  ];
  return table(
    head,
    verdicts.map(verdict => goalRow(verdict, withPeers)),
  );
}

function goalRow({ goal, measured, spread, limit, bestPeer, outcome }: Verdict, withPeers: boolean): string[] {
  const show = (value: number | undefined) => (value === undefined ? '–' : figure(goal, value));
  const peer = bestPeer ? `${show(bestPeer.value)} ${bestPeer.name}` : '–';
  return [
    goal.measure,
    barText(goal, goal.bar),
    show(measured),
    spread && goal.unit !== 'delivered' ? `${show(spread[0])} … ${show(spread[1])}` : '–',
    show(limit),
    ...(withPeers ? [peer] : []),
    outcomeText(outcome),
  ];
}

function outcomeText(outcome: Outcome): string {
  if (outcome.kind === 'no bar') return '';
  return outcome.kind === 'no baseline' ? `needs ${outcome.baseline}` : outcome.kind;
}

function barText(goal: Goal, bar: Bar): string {
  if ('wish' in bar) return bar.wish;
  if (goal.unit === 'delivered') return 'yes';
  if ('atMost' in bar) return `≤ ${figure(goal, bar.atMost)}`;
  return `≥ ${figure(goal, bar.atLeast)}`;
}

function figure({ unit }: Goal, value: number): string {
  if (unit === 'delivered') return value >= 1 ? 'yes' : 'no';
  if (unit === '×') return value.toFixed(value < 10 ? 2 : 1);
  if (unit === 'ms') return `${Math.round(value)} ms`;
  if (unit === 'KB') return `${Math.round(value)} KB`;
  if (unit === '%') return `${value.toFixed(2)} %`;
  if (unit === 'MiB') return `${value.toFixed(value < 10 ? 2 : 0)} MiB`;
  return String(value);
}

function pad(cell: string, widths: readonly number[], column: number): string {
  const space = ' '.repeat((widths[column] ?? 0) - width(cell));
  return column === 0 ? cell + space : space + cell;
}

/** Characters, not UTF-16 units; everything printed here is one cell wide. */
function width(text: string): number {
  return [...text].length;
}
