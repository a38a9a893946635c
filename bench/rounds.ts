/**
 * Interleaving: round 1 of everybody, round 2 of everybody, …. A machine that slows down for a minute then slows
 * everybody down, and a ratio taken inside a round hardly notices. The order turns each round, so that nobody always
 * runs after the same neighbour.
 */
export async function inRounds<T>(
  contestants: readonly T[],
  rounds: number,
  measure: (contestant: T, round: number) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const contestant of orderOf(contestants, round)) await measure(contestant, round);
  }
}

function orderOf<T>(contestants: readonly T[], round: number): T[] {
  const turn = round % Math.max(1, contestants.length);
  const turned = [...contestants.slice(turn), ...contestants.slice(0, turn)];
  return round % 2 === 1 ? turned.toReversed() : turned;
}

/** What takes well under a second is measured in this many times the rounds: one hiccup moves it most. */
export const MORE_ROUNDS_WHEN_SHORT = 3;
