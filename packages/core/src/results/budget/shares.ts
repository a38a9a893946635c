/**
 * Divides room among several. Who needs less than an equal share gets all it needs, and what that leaves goes to the others:
 * a short summary beside a huge table is shown whole. Pure.
 */
export function shares(needs: readonly number[], room: number): number[] {
  const given = needs.map(() => 0);
  let left = room;
  const smallestFirst = needs.map((need, index) => ({ need, index })).sort((a, b) => a.need - b.need);
  for (const [done, { need, index }] of smallestFirst.entries()) {
    const share = Math.min(need, Math.floor(left / (needs.length - done)));
    given[index] = share;
    left -= share;
  }
  return given;
}
