/**
 * Milliseconds since some moment, on a clock that nobody sets. `performance` tells the same, and the first to ask it makes Node
 * load all that measures performance.
 */
export function monotonicMs(): number {
  const time = process.hrtime();
  return time[0] * 1e3 + time[1] / 1e6;
}
