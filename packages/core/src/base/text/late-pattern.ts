/**
 * A regular expression that is made when it is first asked for. Written as a literal, its `\p{…}` would be worked out when the
 * file is read: that takes a millisecond, which every start would pay for texts that few of them see.
 */
export function latePattern(source: string, flags: string): () => RegExp {
  let made: RegExp | undefined;
  return () => (made ??= new RegExp(source, flags));
}
