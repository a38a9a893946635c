/** One call in full, as the audit has it: who, what, why it could run, how long, how large, what became of it. */
import type { Call } from '@junctor/hub/answers';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { Json } from '../../parts/json.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { bytesText, outcomeOf } from './call-words.ts';
import { wordsOf } from './filter.ts';

export function CallDetail({ call, onClose }: { call: Call | undefined; onClose: () => void }) {
  return (
    <Dialog label="A call" isOpen={call !== undefined} onClose={onClose}>
      {call && <Detail call={call} onClose={onClose} />}
    </Dialog>
  );
}

function Detail({ call, onClose }: { call: Call; onClose: () => void }) {
  const { agent, bearer, session, server, tool, verdict, because, started, ms, arguments: args } = call;
  const facts: readonly (readonly [string, string])[] = [
    [
      'Who',
      agent === null ? `a ${bearer}` : `${agent}, with the token of ${bearer === 'person' ? 'a' : 'an'} ${bearer}`,
    ],
    ['Session', session === '' ? 'none' : session],
    ['Verdict', `${verdict}: ${because}`],
    ['Outcome', outcomeOf(call)],
    ['Began', new Date(started).toLocaleString()],
    ['Took', `${ms.toFixed(1)} ms`],
    ['Sizes', `${bytesText(call.bytes_in)} asked, ${bytesText(call.bytes_out)} answered`],
    ['Id', call.call_id],
  ];
  return (
    <>
      <h2 className="mb-3 text-lg font-semibold">
        <Foreign text={`${tool} of ${server}`} most={200} />
      </h2>
      <dl className="mb-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {facts.map(([title, text]) => (
          <div key={title} className="contents">
            <dt className="text-quiet">{title}</dt>
            <dd>
              <Foreign text={text} most={2000} />
            </dd>
          </div>
        ))}
      </dl>
      <h3 className="mb-1 text-sm text-quiet">Arguments, secrets masked</h3>
      <Arguments text={args} />
      <div className="mt-3 flex items-center justify-between gap-3 text-sm">
        <PageLink to={['activity', wordsOf({ server, tool })]}>All calls of this tool</PageLink>
        <Button onClick={onClose}>Close</Button>
      </div>
    </>
  );
}

/** What was long is cut, and then no longer JSON. */
function Arguments({ text }: { text: string | null }) {
  if (text === null) return <p className="text-sm">none</p>;
  try {
    return <Json value={JSON.parse(text)} className="max-h-72" />;
  } catch {
    return (
      <pre className="max-h-72 overflow-auto whitespace-pre-wrap rounded-lg border border-line p-3 text-sm">
        <Foreign text={text} />
      </pre>
    );
  }
}
