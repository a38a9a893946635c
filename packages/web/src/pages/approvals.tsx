/** The inbox: calls of any agent that wait for a yes. Each can be answered without a pointer. */
import type { Approval, ApprovalAnswer } from '@junctor/hub/answers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { change } from '../api/client.ts';
import { useApprovals } from '../api/queries.ts';
import { Ago } from '../parts/ago.tsx';
import { Button } from '../parts/button.tsx';
import { Foreign } from '../parts/foreign.tsx';
import { Json } from '../parts/json.tsx';
import { Failure, Notice } from '../parts/notice.tsx';

const ANSWERS: readonly { answer: ApprovalAnswer['answer']; label: string }[] = [
  { answer: 'once', label: 'Allow once' },
  { answer: 'session', label: 'Allow for this session' },
  { answer: 'always', label: 'Always allow' },
  { answer: 'deny', label: 'Deny' },
];

export default function Approvals() {
  const { data, error } = useApprovals();
  if (error) return <Failure error={error} />;
  if (!data) return <p className="text-quiet">Loading …</p>;
  return (
    <>
      <h1 className="mb-4 text-2xl font-semibold">Approvals</h1>
      {data.approvals.length === 0 && (
        <Notice
          title="No call waits for a yes."
          why="A call of a tool that no rule allows appears here, and its agent waits."
        />
      )}
      <ul className="flex flex-col gap-4">
        {data.approvals.map(approval => (
          <li key={approval.id}>
            <Question approval={approval} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Question({ approval }: { approval: Approval }) {
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const [when, setWhen] = useState('');
  const settle = useMutation({
    mutationFn: (answer: ApprovalAnswer['answer']) =>
      change(`/api/approvals/${encodeURIComponent(approval.id)}`, {
        method: 'POST',
        body: {
          answer,
          from: 'page',
          ...(answer === 'deny' && note !== '' ? { note } : {}),
          ...(answer !== 'deny' && answer !== 'once' && when !== '' ? { when } : {}),
        },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['approvals'] }),
  });
  const { agent, server, tool, because, asked, expires, changed } = approval;
  return (
    <article className="rounded-lg border border-line bg-card p-4" aria-label={`${tool} of ${server}`}>
      <h2 className="text-lg font-semibold">
        <Foreign text={`${agent ?? 'A client'} wants to call ${tool} of ${server}`} />
      </h2>
      <p className="text-sm text-quiet">
        asked <Ago at={asked} />
        {expires && <>, denied at {new Date(expires).toLocaleTimeString()} without an answer</>}; {because}
      </p>
      {changed && changed.length > 0 && (
        <p className="mt-1 text-wait">Changed since it was allowed: {changed.join(', ')}</p>
      )}
      <Json value={approval.arguments} className="my-3 max-h-72" />
      <div className="mb-3 grid gap-2 sm:grid-cols-2">
        <Words label="Only for such arguments" placeholder="path=/tmp/**" value={when} onChange={setWhen} />
        <Words
          label="What the model is told with a no"
          placeholder="use the other folder"
          value={note}
          onChange={setNote}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        {ANSWERS.map(({ answer, label }) => (
          <Button key={answer} disabled={settle.isPending} onClick={() => settle.mutate(answer)}>
            {label}
          </Button>
        ))}
      </div>
      {settle.error && <Failure error={settle.error} />}
    </article>
  );
}

interface WordsProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function Words({ label, placeholder, value, onChange }: WordsProps) {
  return (
    <label className="flex flex-col gap-1 text-sm">
      {label}
      <input
        className="rounded border border-line bg-page p-2"
        placeholder={placeholder}
        value={value}
        onChange={event => onChange(event.target.value)}
      />
    </label>
  );
}
