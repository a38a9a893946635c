/** The lines two texts differ in, as `diff -u` would show them, without context of other files. */
export function unifiedDiff(file: string, before: string, after: string): string {
  if (before === after) return '';
  const [a, b] = [lines(before), lines(after)];
  const steps = wholeScript(a, b);
  return [`--- ${file}`, `+++ ${file}`, ...hunks(steps)].join('\n');
}

interface Step {
  readonly sign: ' ' | '-' | '+';
  readonly line: string;
}

const CONTEXT = 2;

function hunks(steps: readonly Step[]): string[] {
  const near = steps.map((_, index) =>
    steps.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(step => step.sign !== ' '),
  );
  const out: string[] = [];
  steps.forEach(({ sign, line }, index) => {
    if (!near[index]) return;
    if (index > 0 && !near[index - 1]) out.push('…');
    out.push(`${sign}${line}`);
  });
  return out;
}

/** What both begin and end with needs no comparing: a file of an agent may have very many lines. */
function wholeScript(a: readonly string[], b: readonly string[]): Step[] {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < shorter - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const kept = (lines: readonly string[]): Step[] => lines.map(line => ({ sign: ' ', line }));
  const middle = editScript(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return [...kept(a.slice(0, head)), ...middle, ...kept(a.slice(a.length - tail))];
}

/** Longest common subsequence: edits are short, so the plain table will do. */
function editScript(a: readonly string[], b: readonly string[]): Step[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i] as Uint32Array;
      const below = lengths[i + 1] as Uint32Array;
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  const steps: Step[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      steps.push({ sign: ' ', line: a[i] as string });
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))) {
      steps.push({ sign: '-', line: a[i++] as string });
    } else {
      steps.push({ sign: '+', line: b[j++] as string });
    }
  }
  return steps;
}

function lines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
