/**
 * How the work of a function grows with its input. A stranger chooses the input of many functions, and one whose work grows
 * like the square of it stops everybody else on the same event loop.
 */

/** Work that takes less than this is noise of the machine, not growth. */
const NOISE_MICROSECONDS = 2000;

/** Linear work takes four times as long for four times the input, quadratic work sixteen times. */
const MOST_GROWTH = 10;

/** Undefined where the work grows like `n`; else by how much it grew from `n` to `2n` and `4n`. */
export function growsFasterThanInput(work: (n: number) => () => unknown, n: number): string | undefined {
  // The first run of a function is slower than all others: it is compiled.
  leastTime(work(n));
  const [one, two, four] = [n, 2 * n, 4 * n].map(size => Math.max(NOISE_MICROSECONDS, leastTime(work(size))));
  const growth = (four as number) / (one as number);
  if (growth <= MOST_GROWTH) return undefined;
  const rounded = [(two as number) / (one as number), growth].map(times => times.toFixed(1));
  return `from ${n} to ${2 * n} and ${4 * n}: ${rounded.join(' and ')} times the work`;
}

/** CPU time of this thread alone: what other processes do meanwhile does not count. The least of a few runs has the least noise. */
function leastTime(run: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 3; turn++) {
    const before = process.threadCpuUsage();
    run();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

/** A function that meets a stranger's text, and texts of a length that make bad code slow. */
export type GrowthRow = readonly [meets: (text: string) => unknown, ...texts: ((n: number) => string)[]];

/** A text of about this length that repeats a piece. */
export function times(piece: string, n: number): string {
  return piece.repeat(Math.ceil(n / piece.length));
}

/** Which texts make the work grow faster than they do, each with how much. Empty: none. */
export function fasterThanText([meets, ...texts]: GrowthRow, n = 8000): string[] {
  return texts.flatMap((make, at) => {
    const work = (size: number) => {
      const text = make(size);
      return () => meets(text);
    };
    const faster = growsFasterThanInput(work, n);
    return faster === undefined ? [] : [`text ${at} (${JSON.stringify(make(8)).slice(0, 40)}) ${faster}`];
  });
}
