import { useEffect, useState } from 'react';

/** Often enough for what is told in seconds, seldom enough to cost nothing. */
const AGAIN_MS = 10_000;

/** The present, for what grows old while nothing happens. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
