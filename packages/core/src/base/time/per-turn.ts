/**
 * An answer that holds for one turn of the event loop: many servers that start together ask the system the same, and each
 * question takes longer than remembering it. The next turn asks anew.
 */
export function perTurn<Key, Answer>(ask: (key: Key) => Answer): (key: Key) => Answer {
  const known = new Map<Key, Answer>();
  return key => {
    const answered = known.get(key);
    if (answered !== undefined) return answered;
    if (known.size === 0) setImmediate(() => known.clear());
    const answer = ask(key);
    known.set(key, answer);
    return answer;
  };
}
