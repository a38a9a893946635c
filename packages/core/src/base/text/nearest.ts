/** The known word closest to a mistyped one, if it is close enough to be meant. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replace(/[-_]/g, '');
  if (word.length > LONGEST_WORD) return undefined;
  const own = plain(word);
  const ranked = known
    .map(candidate => ({ candidate, text: plain(candidate) }))
    .map(one => ({ ...one, furthest: furthestFrom(own, one.text) }))
    // Words that differ more in length are further apart: those of a stranger, however long, cost no more than a look.
    .filter(({ text, furthest }) => Math.abs(text.length - own.length) <= furthest)
    .map(({ candidate, text, furthest }) => ({ candidate, furthest, distance: editDistance(own, text) }))
    .filter(({ distance, furthest }) => distance <= furthest)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}

/** One slip in three signs; fewer where the words begin otherwise, as people seldom get the first sign wrong. */
function furthestFrom(word: string, candidate: string): number {
  const { length } = word;
  return length < 3 ? 0 : Math.max(1, Math.floor(length / (word[0] === candidate[0] ? 3 : 4)));
}

/** Nobody mistypes a longer one. Comparing two words takes as many steps as their lengths multiplied. */
const LONGEST_WORD = 200;

/** Signs that were added, left out or exchanged; two neighbours in the wrong order are one slip. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const exchanged = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const crossed = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? Number.NaN) + 1 : Number.NaN;
      const steps = [exchanged, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, crossed];
      row.push(Math.min(...steps.filter(step => !Number.isNaN(step))));
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}
