/** Tools that a lockfile hides because they are new or changed: what is another, and a yes to it. */
import type { Lock, ToolList } from '@junctor/hub/answers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { change, type Tagged } from '../../api/client.ts';
import { useLock } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { Failure } from '../../parts/notice.tsx';

export function HiddenTools({ hidden }: { hidden: ToolList['hidden'] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section aria-label="Hidden tools" className="mb-4 rounded-lg border border-line bg-card p-4">
      <h2 className="font-semibold">△ {hidden.length} tools are hidden: they are not as they were approved</h2>
      <ul className="my-2 list-disc pl-5 text-sm">
        {hidden.slice(0, MOST).map(({ server, name, because }) => (
          <li key={`${server} ${name}`}>
            <Foreign text={`${server}/${name}: ${because}`} most={400} />
          </li>
        ))}
        {hidden.length > MOST && <li>and {hidden.length - MOST} more</li>}
      </ul>
      {isOpen ? <Differences /> : <Button onClick={() => setOpen(true)}>See what changed</Button>}
    </section>
  );
}

const MOST = 10;

function Differences() {
  const { data, error } = useLock();
  if (error) return <Failure error={error} />;
  if (!data) return <p className="text-quiet">Asking the servers …</p>;
  const { file, changes } = data.body;
  return (
    <>
      <p className="mb-2 text-sm text-quiet">
        Compared with <code className="foreign">{file}</code>
      </p>
      <ul className="flex flex-col gap-3">
        {changes.map(one => (
          <li key={`${one.kind} ${one.server} ${one.tool}`}>
            <Difference difference={one} tag={data.tag} />
          </li>
        ))}
      </ul>
    </>
  );
}

const KINDS: Readonly<Record<Lock['changes'][number]['kind'], string>> = {
  'server-added': 'a new server',
  'server-removed': 'a server that is gone',
  'server-changed': 'a server that is defined otherwise',
  'tool-added': 'a new tool',
  'tool-removed': 'a tool that is gone',
  'tool-changed': 'a changed tool',
};

interface DifferenceProps {
  readonly difference: Lock['changes'][number];
  readonly tag: Tagged<unknown>['tag'];
}

function Difference({ difference: { kind, server, tool, lines }, tag }: DifferenceProps) {
  const queries = useQueryClient();
  const name = tool === null ? server : `${server}/${tool}`;
  const approve = useMutation({
    // Only what is shown here is approved: were it another by now, nothing would be.
    mutationFn: () =>
      change('/api/lock/approve', {
        method: 'POST',
        ifMatch: tag,
        body: { server, ...(tool === null ? {} : { tool }) },
      }),
    onSettled: () =>
      queries.invalidateQueries({ predicate: ({ queryKey: [list] }) => list === 'tools' || list === 'lock' }),
  });
  return (
    <article className="rounded border border-line p-3">
      <h3 className="font-medium">
        <Foreign text={name} most={200} />: {KINDS[kind]}
      </h3>
      <pre className="my-2 max-h-72 overflow-auto whitespace-pre-wrap text-sm">
        {lines.map((line, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text
          <span key={place} className={`block ${colourOf(line)}`}>
            <Foreign text={line} />
          </span>
        ))}
      </pre>
      <Button aria-label={`Approve ${name}`} disabled={approve.isPending} onClick={() => approve.mutate()}>
        Approve
      </Button>
      {approve.error && <Failure error={approve.error} />}
    </article>
  );
}

function colourOf(line: string): string {
  if (line.startsWith('  + ')) return 'text-good';
  return line.startsWith('  - ') ? 'text-bad' : '';
}
