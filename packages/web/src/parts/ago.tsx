/** How long ago something was, for people; the moment itself for whoever points at it. */
import { useEffect, useState } from 'react';

const STEPS: readonly (readonly [limit: number, seconds: number, unit: string])[] = [
  [60, 1, 's'],
  [3600, 60, 'min'],
  [86_400, 3600, 'h'],
  [Number.POSITIVE_INFINITY, 86_400, 'd'],
];

const AGAIN_MS = 10_000;

export function Ago({ at }: { at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {agoText(at, now)}
    </time>
  );
}

/** The present moment, good enough for what is told in minutes. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

export function agoText(at: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(at)) / 1000));
  const [, size, unit] = STEPS.find(([limit]) => seconds < limit) ?? ['', 86_400, 'd'];
  return `${Math.floor(seconds / size)} ${unit} ago`;
}
