/** Whether this agent on this executor will have certain tools: the same answer as `junctor preflight`. */
import type { Preflight as Answer } from '@junctor/hub/answers';
import { type FormEvent, useState } from 'react';
import { usePreflight } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/notice.tsx';
import { type Column, Table } from '../../parts/table.tsx';

type Row = Answer['tools'][number];

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Tool', cell: ({ asked }) => asked },
  { title: 'Will it be there', cell: ({ there }) => (there ? '✓ yes' : '✕ no') },
  { title: 'Why', cell: ({ because }) => because },
  { title: 'What to do', cell: ({ hint }) => hint || '–' },
];

export function Preflight({ agent, executor }: { agent: string; executor: string }) {
  const [tools, setTools] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const words = String(new FormData(event.currentTarget).get('tools'));
    setTools(
      words
        .split(/[\s,]+/)
        .filter(Boolean)
        .join(','),
    );
  };
  return (
    <>
      <form className="mb-3 flex flex-wrap items-end gap-2" onSubmit={submit}>
        <label className="flex min-w-0 flex-1 flex-col gap-1 text-sm">
          Tools it needs: server/tool, or as it sees them
          <input
            required
            name="tools"
            autoComplete="off"
            spellCheck={false}
            placeholder="github/create_issue fs/read_file"
            className="min-w-0 rounded border border-line bg-card p-2"
          />
        </label>
        <Button type="submit">Will it have them?</Button>
      </form>
      {tools && <Outcome agent={agent} executor={executor} tools={tools} />}
    </>
  );
}

function Outcome(asked: { agent: string; executor: string; tools: string }) {
  const { data, error } = usePreflight(asked);
  if (error) return <Failure error={error} />;
  if (!data) return <p className="text-quiet">Asking …</p>;
  const { ok, missing, tools } = data;
  return (
    <>
      <p role="status" className="mb-2 font-medium">
        {ok
          ? `✓ ${asked.agent} on ${asked.executor} has all of them.`
          : `✕ ${asked.agent} on ${asked.executor} lacks ${missing.length} of ${tools.length}.`}
      </p>
      <Table label="Pre-flight" rows={tools} keyOf={({ asked: name }) => name} columns={COLUMNS} />
    </>
  );
}
