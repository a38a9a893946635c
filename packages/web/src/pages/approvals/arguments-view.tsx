/** Arguments as a person reads them: one by one, long text as text. What would not be seen stands as its number. */
import { useState } from 'react';
import { useApprovalArguments } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Exact, Json } from '../../parts/json.tsx';
import { Failure } from '../../parts/notice.tsx';

export function ArgumentsView({ value }: { value: unknown }) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return <Json value={value ?? null} className="my-3 max-h-72" />;
  const given = Object.entries(value);
  if (given.length === 0) return <p className="my-3 text-sm">It has no arguments.</p>;
  return (
    <dl aria-label="Arguments" className="my-3 grid gap-2 rounded-lg border border-line p-3 text-sm">
      {given.slice(0, MOST).map(([name, one]) => (
        <div key={name} className="grid gap-1 sm:grid-cols-[10rem_1fr]">
          <dt className="text-quiet">
            <Exact text={name} most={200} />
          </dt>
          <dd className="max-h-60 overflow-auto whitespace-pre-wrap font-mono">
            <Exact text={typeof one === 'string' ? one : asJson(one)} />
          </dd>
        </div>
      ))}
      {given.length > MOST && <div className="text-quiet">and {given.length - MOST} more</div>}
    </dl>
  );
}

/** What a list leaves out, asked for when somebody wants to read it. */
export function AllArguments({ id, cut }: { id: string; cut: { readonly characters: number } }) {
  const [open, setOpen] = useState(false);
  const { data, error } = useApprovalArguments(id, open);
  if (!open)
    return <Button onClick={() => setOpen(true)}>Show all {cut.characters.toLocaleString()} characters</Button>;
  if (error) return <Failure error={error} />;
  return (
    <pre className="my-3 max-h-96 overflow-auto whitespace-pre-wrap rounded-lg border border-line p-3 text-sm">
      <Exact text={data?.text ?? '…'} most={2 * 1024 * 1024} />
    </pre>
  );
}

const SHORT = 80;

function asJson(value: unknown): string {
  const line = JSON.stringify(value);
  return line.length <= SHORT ? line : JSON.stringify(value, undefined, 2);
}

/** No tool of a person has more; one that has was made to hide something below. */
const MOST = 60;
