/** The inbox: calls of any agent that wait for a yes. Each can be answered with one key. */
import type { Approval } from '@junctor/hub/answers';
import { type KeyboardEvent, useCallback, useRef } from 'react';
import { useApprovals } from '../../api/queries.ts';
import { Failure, Loading, Notice } from '../../parts/notice.tsx';
import { Granted } from './granted.tsx';
import { NotifyButton } from './notify-button.tsx';
import { ANSWER_KEYS, Question, type QuestionHandle } from './question.tsx';

export default function Approvals() {
  const { data, error } = useApprovals();
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl font-semibold">Approvals</h1>
        <NotifyButton />
      </div>
      {data.approvals.length === 0 ? (
        <Notice
          title="No call waits for a yes."
          why="A call of a tool that no rule allows appears here, and its agent waits."
          next="To be asked about every call of a server, add to the config: permissions.ask: [mcp__SERVER__*]"
        />
      ) : (
        <Inbox approvals={data.approvals} />
      )}
      <Granted />
    </>
  );
}

function Inbox({ approvals }: { approvals: readonly Approval[] }) {
  const list = useRef<HTMLUListElement>(null);
  const questions = useRef(new Map<string, QuestionHandle>());
  const last = useRef('');
  const { isHeld, hold } = useHold();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
    // After a `g` a letter goes to another page.
    const isTravel = last.current === 'g';
    last.current = event.key;
    if (isTravel) return;
    const articles = [...(list.current?.querySelectorAll('article') ?? [])];
    const at = articles.findIndex(article => article.contains(event.target as Node));
    const step = STEPS[event.key];
    const answer = ANSWER_KEYS[event.key];
    if (step !== undefined) articles[Math.min(Math.max(at + step, 0), articles.length - 1)]?.focus();
    // A key that is held down, or that was meant for a question which vanished, answers nothing.
    else if (answer && !event.repeat && !isHeld()) questions.current.get(articles[at]?.id ?? '')?.answer(answer);
    else if (!answer) return;
    event.preventDefault();
  };
  return (
    <>
      <p className="mb-3 text-sm text-quiet">
        <kbd>j</kbd> and <kbd>k</kbd>, or the arrows, go from one to the next; <kbd>o</kbd> <kbd>s</kbd> <kbd>a</kbd>{' '}
        <kbd>d</kbd> answer the one that is marked.
      </p>
      <ul ref={list} className="flex flex-col gap-4" onKeyDown={onKeyDown}>
        {approvals.map((approval, place) => (
          <li key={approval.id}>
            <Question
              approval={approval}
              isFirst={place === 0}
              onMarked={hold}
              ref={handle => {
                if (handle) questions.current.set(approval.id, handle);
                return () => void questions.current.delete(approval.id);
              }}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Long enough to see that another question is marked now. */
const HOLD_MS = 1000;

/** Keys answer nothing for a moment after the mark moved by itself. */
function useHold(): { isHeld(): boolean; hold(): void } {
  const until = useRef(0);
  const isHeld = useCallback(() => performance.now() < until.current, []);
  const hold = useCallback(() => {
    until.current = performance.now() + HOLD_MS;
  }, []);
  return { isHeld, hold };
}

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

function isField(target: EventTarget): boolean {
  return target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
