/** Makes a token, and shows it once: the hub keeps its hash and nothing else. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { change } from '../../api/client.ts';
import { useAgents } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Failure } from '../../parts/notice.tsx';

/** No agent is called so. */
const MONITOR = '/metrics';

export function NewToken() {
  const queries = useQueryClient();
  const agents = useAgents().data?.agents ?? [];
  const make = useMutation({
    mutationFn: (body: object) => change<{ token: string }>('/api/tokens', { method: 'POST', body }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['tokens'] }),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const words = [...new FormData(event.currentTarget)].filter(([, value]) => value !== '');
    const { agent, ...terms } = Object.fromEntries(words);
    make.mutate(agent === MONITOR ? { ...terms, opens: 'metrics' } : { ...terms, agent });
  };
  return (
    <form className="rounded-lg border border-line bg-card p-4" onSubmit={submit}>
      <div className="flex flex-wrap items-end gap-3">
        <label className="flex min-w-0 flex-col gap-1">
          For
          <select name="agent" className="rounded border border-line bg-page p-2">
            <option value="">a person: opens everything</option>
            <option value={MONITOR}>a monitor: opens /metrics only</option>
            {agents.map(({ agent_id: id }) => (
              <option key={id} value={id}>
                {id}: opens its doors only
              </option>
            ))}
          </select>
        </label>
        <label className="flex min-w-0 flex-col gap-1">
          Name, to know it by
          <input name="name" maxLength={64} autoComplete="off" className="rounded border border-line bg-page p-2" />
        </label>
        <Button type="submit" className="font-medium" disabled={make.isPending}>
          Make a token
        </Button>
      </div>
      {make.data && (
        <div role="alert" className="mt-4">
          <p className="mb-1 font-medium">Copy it now: it is not shown again.</p>
          <p className="flex flex-wrap items-center gap-2">
            <code className="foreign rounded border border-line bg-page p-2">{make.data.token}</code>
            <CopyButton text={make.data.token} what="the token" />
            <Button onClick={() => make.reset()}>I have it</Button>
          </p>
        </div>
      )}
      {make.error && <Failure error={make.error} />}
    </form>
  );
}
