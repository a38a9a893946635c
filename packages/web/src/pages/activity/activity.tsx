/** Every call that passed the hub: how many over time, how they went, each in full; and who is connected now. */
import { lazy, Suspense, useMemo } from 'react';
import { hubAddress } from '../../api/hub-address.ts';
import { useCallSummary } from '../../api/queries.ts';
import { Failure } from '../../parts/notice.tsx';
import { addressOf } from '../../parts/route.ts';
import { useSettled } from '../../parts/use-settled.ts';
import type { PageProps } from '../../shell/pages.tsx';
import { CallList } from './call-list.tsx';
import { Connected } from './connected.tsx';
import { type Filter, filterIn, queryOf, wordsOf } from './filter.ts';
import { FilterForm } from './filter-form.tsx';
import { SummaryText } from './summary-text.tsx';

/** Drawing is a library of its own, and only needed here. */
const Charts = lazy(() => import('./charts.tsx'));

const TYPING_MS = 250;

export default function Activity({ rest: [words] }: PageProps) {
  const filter = filterIn(words);
  const settled = useSettled(wordsOf(filter), TYPING_MS);
  const query = useMemo(() => queryOf(filterIn(settled), Date.now()), [settled]);
  const { data: summary, error } = useCallSummary(query);
  return (
    <>
      <h1 className="mb-4 text-2xl font-semibold">Activity</h1>
      <Connected />
      <h2 className="mb-2 mt-6 text-lg font-semibold">Calls</h2>
      <FilterForm filter={filter} onChange={show} />
      {error && <Failure error={error} />}
      {summary && <SummaryText summary={summary} />}
      {summary && summary.calls > 0 && (
        <Suspense fallback={<div className="h-36" />}>
          <Charts summary={summary} onRange={(since, until) => show({ ...filter, hours: '', since, until })} />
        </Suspense>
      )}
      <p className="mb-2 flex gap-4 text-sm">
        <a className="text-accent underline" href={hubAddress(`/api/calls/export.csv?${query}`)} download>
          Save as CSV
        </a>
        <a className="text-accent underline" href={hubAddress(`/api/calls/export.jsonl?${query}`)} download>
          Save as JSON lines
        </a>
      </p>
      <CallList key={query} query={query} total={summary?.calls} />
    </>
  );
}

/** In place of where we are: nobody wants to go back letter by letter. */
function show(filter: Filter): void {
  window.location.replace(addressOf('activity', wordsOf(filter)));
}
