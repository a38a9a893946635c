/** An answer as it leaves, seen from outside: it is not parsed for this. */
export interface AnswerSeen {
  readonly pieces: readonly Buffer[];
  readonly bytes: number;
  /** That of a JSON-RPC error. */
  readonly code: number | undefined;
}

/** Answers up to this size are looked through; of larger ones only the ends, where servers put such words. */
const LOOKED_THROUGH_BYTES = 64 * 1024;
const END_BYTES = 256;

/** Whether a tool says that it failed. Inside a text the words would have backslashes in them. */
export function isToolError({ pieces, bytes }: AnswerSeen): boolean {
  if (bytes <= LOOKED_THROUGH_BYTES) return pieces.some(says);
  return [pieces[0]?.subarray(0, END_BYTES), pieces.at(-1)?.subarray(-END_BYTES)].some(end => end && says(end));
}

function says(piece: Buffer): boolean {
  const at = piece.indexOf('"isError"');
  return at >= 0 && /^"isError"\s*:\s*true/.test(piece.toString('latin1', at, at + 40));
}
