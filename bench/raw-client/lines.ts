/**
 * Cuts bytes into lines. Every byte is looked at once: pieces of an unfinished line wait in a list, because joining
 * them on each chunk makes a large message cost the square of its size.
 */
export function cutLines(onLine: (pieces: Buffer[]) => void): (chunk: Buffer) => void {
  const NEWLINE = 10;
  let held: Buffer[] = [];
  return chunk => {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      held.push(chunk.subarray(from, at));
      from = at + 1;
      const line = held;
      held = [];
      onLine(line);
    }
    if (from < chunk.length) held.push(from > 0 ? chunk.subarray(from) : chunk);
  };
}

export function joined(pieces: readonly Buffer[]): string {
  const [only] = pieces;
  return (pieces.length === 1 && only ? only : Buffer.concat(pieces)).toString();
}
