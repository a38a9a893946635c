/** What is said to a server and by it while somebody looks, and what its program prints. */
import { useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { Foreign } from '../../../parts/foreign.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { Section } from '../../../parts/section.tsx';
import { Message } from './message.tsx';
import { useTraffic } from './use-traffic.ts';

export function Traffic({ id }: { id: string }) {
  const [wanted, setWanted] = useState('');
  const [isPaused, setPaused] = useState(false);
  const { messages, printed, missed, clear } = useTraffic(id, isPaused);
  const shown = messages.filter(({ seen }) => seen.text.toLowerCase().includes(wanted.toLowerCase()));
  return (
    <>
      <Section
        title="Messages"
        aside={
          <span className="flex flex-wrap items-center gap-2">
            <input
              type="search"
              aria-label="Only messages that hold"
              placeholder="only those that hold …"
              className="rounded border border-line bg-card px-2 py-1.5"
              value={wanted}
              onChange={event => setWanted(event.target.value)}
            />
            <Button aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
              {isPaused ? 'Go on' : 'Pause'}
            </Button>
            <Button onClick={clear}>Clear</Button>
          </span>
        }
      >
        <p role="status" className="mb-2 text-sm text-quiet">
          {isPaused ? 'Paused: nothing is noted.' : 'Noted while you look, newest first; secrets are masked.'}
          {missed > 0 && ` ${missed} came too fast to be shown.`}
        </p>
        {shown.length === 0 ? (
          <Notice
            title={messages.length === 0 ? 'Nothing was said yet.' : 'No message holds that.'}
            next={
              messages.length === 0 ? 'Call one of its tools, or reconnect it: what is said appears here.' : undefined
            }
          />
        ) : (
          <ol aria-label="Messages, newest first" className="rounded-lg border border-line bg-card">
            {shown.map(({ key, seen, tookMs }) => (
              <Message key={key} seen={seen} tookMs={tookMs} />
            ))}
          </ol>
        )}
      </Section>
      <Section title="What its program prints">
        {printed === '' ? <Notice title="It printed nothing to stderr." /> : <Printed text={printed} />}
      </Section>
    </>
  );
}

const SCROLLED = 'max-h-96 overflow-auto rounded-lg border border-line bg-card p-3';

function Printed({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no pointer must be able to scroll it
    <section aria-label="Printed" tabIndex={0} className={SCROLLED}>
      <pre className="whitespace-pre-wrap text-sm">
        <Foreign text={text} />
      </pre>
    </section>
  );
}
