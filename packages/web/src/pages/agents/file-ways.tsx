/** What can be done with an agent's file. Nothing is done before every line that changes was shown. */
import type { AgentFile as FileState } from '@junctor/hub/answers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { change } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/notice.tsx';
import { Diff } from './diff.tsx';

type Action = keyof FileState['previews'];

const ACTIONS: Readonly<Record<Action, { title: string; confirm: string; done: string }>> = {
  write: { title: 'Write into its file …', confirm: 'Write these lines', done: 'Written. The file as it was is kept.' },
  undo: { title: 'Undo the last write …', confirm: 'Undo it', done: 'The last write is undone.' },
  remove: { title: 'Take it out …', confirm: 'Take these lines out', done: 'What Junctor wrote is taken out.' },
};

interface FileWaysProps {
  readonly agent: string;
  readonly state: FileState;
  readonly tag: string | undefined;
}

export function FileWays({ agent, state: { previews, token_variable: variable }, tag }: FileWaysProps) {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<Action>();
  const store = useMutation({
    // What is written is what was shown: a file that somebody changed meanwhile is shown again first.
    mutationFn: (action: Action) =>
      change(`/api/agents/${agent}/file`, { method: 'POST', body: { action }, ifMatch: tag }),
    onSuccess: () => setChosen(undefined),
    onSettled: () => queries.invalidateQueries({ queryKey: ['agent-file', agent] }),
  });
  const possible = (Object.keys(ACTIONS) as Action[]).filter(action => previews[action] !== '');
  const shown = possible.find(action => action === chosen);
  return (
    <>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {possible.map(action => (
          <Button
            key={action}
            aria-expanded={shown === action}
            onClick={() => setChosen(shown === action ? undefined : action)}
          >
            {ACTIONS[action].title}
          </Button>
        ))}
        <span role="status" className="text-sm text-quiet">
          {store.isSuccess && !shown ? ACTIONS[store.variables].done : ''}
        </span>
      </div>
      {shown && (
        <div className="mt-3">
          <Diff label="Lines that would change" text={previews[shown]} />
          {shown === 'write' && variable !== null && (
            <p className="mt-2 text-sm text-quiet">
              No secret is written: the agent finds its token in the variable {variable}. Set it where the agent runs.
            </p>
          )}
          <div className="mt-2 flex flex-wrap gap-2">
            <Button className="font-medium" disabled={store.isPending} onClick={() => store.mutate(shown)}>
              {ACTIONS[shown].confirm}
            </Button>
            <Button onClick={() => setChosen(undefined)}>Cancel</Button>
          </div>
        </div>
      )}
      {store.error && (
        <div className="mt-3">
          <Failure error={store.error} />
        </div>
      )}
    </>
  );
}
