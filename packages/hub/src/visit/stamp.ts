/** What a result of the 2026-07-28 era says about itself, put into the answer of a server that knows nothing of it. */

/** Lists and contents say how long they may be kept: of an older server nobody knows, so not at all. */
const CACHED = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
]);

const COMPLETE = '"resultType":"complete"';
const UNCACHED = `${COMPLETE},"ttlMs":0,"cacheScope":"private"`;

/** The members that a result to this method needs, as JSON without the braces. */
export function stampFor(method: string): string {
  return CACHED.has(method) ? UNCACHED : COMPLETE;
}

/** An answer written by hand here, in the words of the newer era. */
export function complete(method: string, result: object): string {
  const body = JSON.stringify(result);
  return body === '{}' ? `{${stampFor(method)}}` : `{${stampFor(method)},${body.slice(1)}`;
}

/** As much of the head is looked at as an id and a few keys can take. */
const HEAD_BYTES = 256;

/** The same answer with the members at the start of its result; undefined where no result begins near the start. */
export function stamped(pieces: readonly Buffer[], stamp: string): Buffer[] | undefined {
  let head = '';
  for (let index = 0; index < pieces.length && head.length < HEAD_BYTES; index++) {
    const piece = pieces[index] as Buffer;
    const before = head.length;
    head += piece.toString('latin1', 0, HEAD_BYTES);
    const found = /"result"\s*:\s*\{(\s*\})?/.exec(head);
    const at = found ? found.index + found[0].length - (found[1]?.length ?? 0) : -1;
    // The brace may stand at the end of one piece, and what follows it in the next.
    if (!found || at < before) continue;
    const split = at - before;
    const rest = piece.subarray(split);
    const after = [rest, ...pieces.slice(index + 1)];
    const comma = firstSign(after) === CLOSE_BRACE ? '' : ',';
    return [...pieces.slice(0, index), piece.subarray(0, split), Buffer.from(`${stamp}${comma}`), ...after];
  }
  return undefined;
}

/** The same for the bytes of a result alone, which has to be an object. */
export function stampedResult(result: Buffer, stamp: string): Buffer {
  const rest = result.subarray(1);
  return Buffer.concat([Buffer.from(`{${stamp}${firstSign([rest]) === CLOSE_BRACE ? '' : ','}`), rest]);
}

const CLOSE_BRACE = 0x7d;

/** The first byte that is no white space. */
function firstSign(pieces: readonly Buffer[]): number | undefined {
  for (const piece of pieces) for (const byte of piece) if (byte > 0x20) return byte;
  return undefined;
}
