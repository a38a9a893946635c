/** What is told of a call, in words. */
import type { Call } from '@junctor/hub/answers';

export function outcomeOf({ outcome, failed, code }: Call): string {
  if (outcome === 'not_sent') return 'not sent';
  if (outcome === 'unknown') return 'sent, outcome unknown';
  return failed ? `failed${code === null ? '' : `: ${code}`}` : 'done';
}

const KB = 1000;

export function bytesText(bytes: number): string {
  if (bytes < KB) return `${bytes} B`;
  return bytes < KB * KB ? `${(bytes / KB).toFixed(1)} KB` : `${(bytes / KB / KB).toFixed(1)} MB`;
}
