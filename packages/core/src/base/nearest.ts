/** The known word closest to a mistyped one, if it is close enough to be meant. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replace(/[-_]/g, '');
  if (word.length > LONGEST_WORD) return undefined;
  const own = plain(word);
  // One sign of one or two makes another word.
  const furthest = word.length < 3 ? 0 : Math.max(1, Math.floor(word.length / 3));
  const ranked = known
    .map(candidate => ({ candidate, text: plain(candidate) }))
    // Words that differ more in length are further apart: those of a stranger, however long, cost no more than a look.
    .filter(({ text }) => Math.abs(text.length - own.length) <= furthest)
    .map(({ candidate, text }) => ({ candidate, distance: editDistance(own, text) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best && best.distance <= furthest ? best.candidate : undefined;
}

/** Nobody mistypes a longer one. Comparing two words takes as many steps as their lengths multiplied. */
const LONGEST_WORD = 200;

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(swap, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
