/** The calls themselves, newest first; pressed, one of them is told in full. */
import type { Call, RunningCall } from '@junctor/hub/answers';
import { useState } from 'react';
import { Ago } from '../../parts/ago.tsx';
import { Button } from '../../parts/button.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { LongTable } from '../../parts/long-table.tsx';
import { Failure, Loading, Notice } from '../../parts/notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { CallDetail } from './call-detail.tsx';
import { bytesText, outcomeOf } from './call-words.ts';
import { useCallsRead } from './use-calls-read.ts';

interface CallListProps {
  readonly query: string;
  /** How many there are. */
  readonly total: number | undefined;
}

export function CallList({ query, total }: CallListProps) {
  const [isAtTop, setAtTop] = useState(true);
  const [opened, setOpened] = useState<Call>();
  const { calls, running, newer, error, isReading, showNewer, readOn } = useCallsRead(query, isAtTop);
  if (error && !calls) return <Failure error={error} />;
  if (!calls) return <Loading />;
  return (
    <>
      {running.length > 0 && <Running calls={running} />}
      {newer > 0 && (
        <p className="mb-2">
          <Button onClick={showNewer}>Show {newer} new calls</Button>
        </p>
      )}
      {calls.length === 0 ? (
        <Notice
          title={query === '' ? 'No call was made yet.' : 'No such call was made.'}
          next={query === '' ? <FirstCall /> : 'Take a filter away.'}
        />
      ) : (
        <LongTable
          label="Calls"
          rows={calls}
          total={total}
          keyOf={({ call_id: id }) => id}
          onEnd={readOn}
          onTop={setAtTop}
          columns={[
            {
              title: 'When',
              cell: call => (
                <button type="button" className="text-left text-accent underline" onClick={() => setOpened(call)}>
                  <Ago at={call.started} />
                </button>
              ),
            },
            { title: 'Agent', cell: ({ agent }) => agent ?? '–' },
            { title: 'Server', cell: ({ server }) => server },
            { title: 'Tool', share: 1.5, cell: ({ tool }) => tool },
            { title: 'Verdict', cell: ({ verdict, because }) => <span title={because}>{verdict}</span> },
            { title: 'Outcome', share: 1.5, cell: outcomeOf },
            { title: 'Took', cell: ({ ms }) => `${Math.round(ms)} ms`, isNumber: true },
            { title: 'Answer', cell: ({ bytes_out: bytes }) => bytesText(bytes), isNumber: true },
          ]}
        />
      )}
      <p role="status" className="mt-2 text-sm text-quiet">
        {isReading
          ? 'Reading on …'
          : `${calls.length.toLocaleString()} read${total === undefined ? '' : ` of ${total.toLocaleString()}`}`}
      </p>
      {error && <Failure error={error} />}
      <CallDetail call={opened} onClose={() => setOpened(undefined)} />
    </>
  );
}

/** More would push the list away. */
const MOST_RUNNING = 5;

function FirstCall() {
  return (
    <>
      Try a tool yourself at <PageLink to={['tools']}>Tools</PageLink>, or connect an agent at{' '}
      <PageLink to={['agents']}>Agents</PageLink>: what it calls appears here.
    </>
  );
}

function Running({ calls }: { calls: readonly RunningCall[] }) {
  return (
    <ul aria-label="Running now" className="mb-3 text-sm">
      {calls.slice(0, MOST_RUNNING).map(({ call_id: id, agent, server, tool, started }) => (
        <li key={id}>
          ◌ Running: <Foreign text={`${tool} of ${server}`} most={200} />
          {agent && <> for {agent}</>}, begun <Ago at={started} />
        </li>
      ))}
      {calls.length > MOST_RUNNING && <li className="text-quiet">and {calls.length - MOST_RUNNING} more</li>}
    </ul>
  );
}
