/** What the charts show, in a sentence: for whoever does not see them, or does not want to read them. */
import type { CallSummary } from '@junctor/hub/answers';

export function SummaryText({ summary }: { summary: CallSummary }) {
  return <p className="mb-2 text-sm">{summaryOf(summary)}</p>;
}

export function summaryOf({ calls, errors, p50_ms: p50, p95_ms: p95, parts }: CallSummary): string {
  if (calls === 0) return 'No calls.';
  const share = Math.round((100 * errors) / calls);
  const busiest = parts.reduce((most, part) => (part.calls > most.calls ? part : most));
  const times = `Half took at most ${rounded(p50)}, 95 % at most ${rounded(p95)}.`;
  const when = new Date(busiest.since).toLocaleString();
  return `${calls.toLocaleString()} calls, ${errors.toLocaleString()} failed (${share} %). ${times} Most at once: ${busiest.calls.toLocaleString()} from ${when} on.`;
}

function rounded(ms: number | null): string {
  if (ms === null) return '–';
  return ms < 1000 ? `${Number(ms.toPrecision(2))} ms` : `${(ms / 1000).toFixed(1)} s`;
}
