import type { Sessions } from './visit/sessions.ts';

/** Tells, once, that no client has been here for so long. The returned function stops the watch. */
export function whenUnused(sessions: Sessions, idleMs: number, onUnused: () => void): () => void {
  let timer: NodeJS.Timeout;
  const look = (): void => {
    const since = sessions.unusedSince;
    const leftMs = since === undefined ? idleMs : since + idleMs - performance.now();
    if (leftMs <= 0) onUnused();
    // Whoever is here now may leave at any time: a look costs nothing.
    else timer = setTimeout(look, Math.min(leftMs, LOOK_EVERY_MS)).unref();
  };
  look();
  return () => clearTimeout(timer);
}

const LOOK_EVERY_MS = 5000;
