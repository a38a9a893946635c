/** One call that waits: who asks, what it would do, what is known of the tool, and the four answers. */
import type { Approval, ApprovalAnswer } from '@junctor/hub/answers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { change } from '../../api/client.ts';
import { Ago } from '../../parts/ago.tsx';
import { Button } from '../../parts/button.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { Failure } from '../../parts/notice.tsx';
import { AllArguments, ArgumentsView } from './arguments-view.tsx';
import { Pattern } from './pattern.tsx';
import { Words } from './words.tsx';

type Answer = ApprovalAnswer['answer'];

const ANSWERS: readonly { answer: Answer; key: string; label: string }[] = [
  { answer: 'once', key: 'o', label: 'Allow once' },
  { answer: 'session', key: 's', label: 'Allow for this session' },
  { answer: 'always', key: 'a', label: 'Always allow' },
  { answer: 'deny', key: 'd', label: 'Deny' },
];

export const ANSWER_KEYS: Readonly<Record<string, Answer>> = Object.fromEntries(
  ANSWERS.map(({ key, answer }) => [key, answer]),
);

export interface QuestionHandle {
  answer(answer: Answer): void;
}

interface QuestionProps {
  readonly approval: Approval;
  /** It has the focus when the page opens, unless something else has. */
  readonly isFirst: boolean;
  /** The focus came to it by itself. */
  readonly onMarked: () => void;
  readonly ref: Ref<QuestionHandle>;
}

export function Question({ approval, isFirst, onMarked, ref }: QuestionProps) {
  const { id, agent, server, tool, because, asked, expires, changed } = approval;
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const [when, setWhen] = useState('');
  const settle = useMutation({
    mutationFn: (answer: Answer) =>
      change(`/api/approvals/${encodeURIComponent(id)}`, {
        method: 'POST',
        body: {
          answer,
          from: 'page',
          ...(answer === 'deny' && note !== '' ? { note } : {}),
          ...(answer !== 'deny' && answer !== 'once' && when !== '' ? { when } : {}),
        },
      }),
    onSettled: () => queries.invalidateQueries({ predicate: ({ queryKey: [list] }) => SETTLED.has(String(list)) }),
  });
  useImperativeHandle(ref, () => ({ answer: answer => !settle.isPending && settle.mutate(answer) }));
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isFirst || document.activeElement !== document.body) return;
    onMarked();
    article.current?.focus();
  }, [isFirst, onMarked]);
  return (
    <article
      ref={article}
      id={id}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys answer the one that has the focus
      tabIndex={0}
      aria-label={`${tool} of ${server}`}
      className="rounded-lg border border-line bg-card p-4 focus:border-accent"
    >
      <h2 className="text-lg font-semibold">
        <Foreign text={`${agent ?? 'A client'} wants to call ${tool} of ${server}`} most={400} />
      </h2>
      <p className="text-sm text-quiet">
        asked <Ago at={asked} />
        {expires && <>, denied at {new Date(expires).toLocaleTimeString()} without an answer</>};{' '}
        <Foreign text={because} most={400} />
      </p>
      {changed && changed.length > 0 && (
        <div className="mt-2 text-wait">
          <p>△ Changed since it was allowed:</p>
          <pre className="max-h-40 overflow-auto whitespace-pre-wrap text-sm">
            <Foreign text={changed.join('\n')} />
          </pre>
        </div>
      )}
      <ArgumentsView value={approval.arguments} />
      {approval.arguments_cut && <AllArguments id={id} cut={approval.arguments_cut} />}
      <Pattern approval={approval} when={when} onWrite={setWhen} />
      <div className="mb-3">
        <Words
          label="What the model is told with a no"
          placeholder="use the other folder"
          value={note}
          onChange={setNote}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        {ANSWERS.map(({ answer, key, label }) => (
          <Button
            key={answer}
            aria-keyshortcuts={key}
            disabled={settle.isPending}
            onClick={() => settle.mutate(answer)}
          >
            {label} <kbd className="ml-1 rounded border border-line px-1 text-sm text-quiet">{key}</kbd>
          </Button>
        ))}
      </div>
      {settle.error && (
        <div className="mt-3">
          <Failure error={settle.error} />
        </div>
      )}
    </article>
  );
}

const SETTLED = new Set(['approvals', 'grants']);
