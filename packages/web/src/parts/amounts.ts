/** Amounts as people say them. */
const SPANS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
  [1, 'ms'],
] as const;

/** `90000` → `90 s`: the largest unit in which it is a whole number. */
export function spanText(ms: number): string {
  const [size, unit] = SPANS.find(([size]) => ms >= size && ms % size === 0) ?? [1, 'ms'];
  return `${(ms / size).toLocaleString('en')} ${unit}`;
}

const SIZES = ['B', 'KB', 'MB', 'GB', 'TB'];

export function bytesText(bytes: number): string {
  const step = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1024)), SIZES.length - 1);
  const amount = bytes / 1024 ** step;
  return `${amount < 10 && step > 0 ? amount.toFixed(1) : Math.round(amount)} ${SIZES[step]}`;
}
