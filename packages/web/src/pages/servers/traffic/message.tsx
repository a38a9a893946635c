/** One message in a line; all of it for whoever opens it. */
import type { SeenTraffic } from '@junctor/hub/answers';
import { bytesText } from '../../../parts/amounts.ts';
import { Foreign } from '../../../parts/foreign.tsx';
import { asJson, summaryOf } from './seen-message.ts';

export function Message({ seen, tookMs }: { seen: SeenTraffic; tookMs: number | undefined }) {
  const isSent = seen.kind === 'sent';
  return (
    <li className="border-b border-line last:border-0">
      <details>
        <summary className="flex cursor-pointer flex-wrap gap-x-3 px-3 py-1.5 text-sm hover:bg-accent/10">
          <time dateTime={seen.at} className="tabular-nums text-quiet">
            {timeOf(seen.at)}
          </time>
          <span className={`w-20 ${isSent ? 'text-accent' : 'text-good'}`}>
            <span aria-hidden="true">{isSent ? '→' : '←'}</span> {isSent ? 'to it' : 'from it'}
          </span>
          <span className="min-w-0 flex-1 basis-40">
            <Foreign text={summaryOf(seen.text)} most={200} />
          </span>
          <span className="tabular-nums text-quiet">
            {tookMs !== undefined && `${tookMs} ms, `}
            {bytesText(seen.bytes)}, life {seen.life}
          </span>
        </summary>
        <pre className="overflow-x-auto whitespace-pre-wrap border-t border-line bg-page p-3 text-sm">
          <Foreign text={asJson(seen.text)} />
        </pre>
      </details>
    </li>
  );
}

/** Of the day, to the millisecond: messages come close together. */
function timeOf(at: string): string {
  const two = '2-digit';
  const exactly = { hour: two, minute: two, second: two, fractionalSecondDigits: 3, hour12: false } as const;
  return new Date(at).toLocaleTimeString(undefined, exactly);
}
