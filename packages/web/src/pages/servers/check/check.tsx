/** A server looked at from its definition to its end, step by step, as it happens. */

import type { CheckStep } from '@junctor/hub/answers';
import { useEffect, useRef, useState } from 'react';
import { changeInLines, HubError } from '../../../api/client.ts';
import { Button } from '../../../parts/button.tsx';
import { Failure } from '../../../parts/notice.tsx';
import { Step } from './step.tsx';

interface Report {
  readonly ok: boolean;
  readonly fix: readonly string[];
  readonly steps: readonly CheckStep[];
}

type Line = { step: CheckStep } | { report: Report } | { error: ConstructorParameters<typeof HubError>[1] };

/** What is known so far: the report takes the place of the steps, in the order in which people read them. */
interface Seen {
  readonly isOver: boolean;
  readonly steps: readonly CheckStep[];
  readonly report?: Report;
  readonly error?: Error;
}

export function Check({ id }: { id: string }) {
  const [seen, setSeen] = useState<Seen>();
  const giveUp = useRef<AbortController>(null);
  // Whoever goes away does not wait for it: the hub ends what it started.
  useEffect(() => () => giveUp.current?.abort(), []);
  const run = async (): Promise<void> => {
    giveUp.current?.abort();
    const own = new AbortController();
    giveUp.current = own;
    setSeen({ isOver: false, steps: [] });
    const add = (line: Line): void => setSeen(before => withLine(before as Seen, line));
    const path = `/api/servers/${encodeURIComponent(id)}/check`;
    try {
      await changeInLines<Line>(path, { body: {}, onLine: add, signal: own.signal });
      setSeen(before => before && { ...before, isOver: true });
    } catch (error) {
      if (!own.signal.aborted) setSeen(before => ({ steps: before?.steps ?? [], isOver: true, error: error as Error }));
    }
  };
  const isRunning = seen !== undefined && !seen.isOver;
  return (
    <section aria-label={`Check of ${id}`} className="max-w-3xl">
      <p className="mb-3 text-quiet">
        It is started once more beside what runs, greeted in both ways of the protocol, asked for its tools, and ended
        again. No tool is called.
      </p>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <Button className="font-medium" disabled={isRunning} onClick={() => void run()}>
          {seen ? 'Check again' : 'Check now'}
        </Button>
        <span role="status">{statusOf(seen)}</span>
      </div>
      {seen && (
        <ol className="rounded-lg border border-line bg-card">
          {(seen.report?.steps ?? seen.steps).map(step => (
            <Step key={step.step} step={step} />
          ))}
          {isRunning && <li className="p-3 text-quiet">Looking further …</li>}
        </ol>
      )}
      {seen?.error && (
        <div className="mt-3">
          <Failure error={seen.error} />
        </div>
      )}
    </section>
  );
}

function withLine(before: Seen, line: Line): Seen {
  if ('step' in line) return { ...before, steps: [...before.steps, line.step] };
  if ('report' in line) return { ...before, report: line.report };
  return { ...before, error: new HubError(200, line.error) };
}

function statusOf(seen: Seen | undefined): string {
  if (!seen) return '';
  if (!seen.isOver) return 'Checking …';
  if (!seen.report) return 'The check did not come to an end.';
  const warnings = seen.report.steps.filter(({ outcome }) => outcome === 'warn').length;
  if (!seen.report.ok) return '✕ Something is broken.';
  return warnings > 0 ? `● It works; ${warnings} to look at.` : '● All is well.';
}
