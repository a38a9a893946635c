/** The servers of an agent in two views of one text, what they come to on an executor, and the way to store them. */
import { unifiedDiff } from '@junctor/core/pure';
import type { AgentConfig } from '@junctor/hub/answers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { change, HubError, type Tagged } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Failure, Notice } from '../../parts/notice.tsx';
import { Problems } from '../../parts/problems.tsx';
import { type Draft, useDraft, wordsFor } from '../../parts/use-draft.ts';
import { Diff } from './diff.tsx';
import { listIn, textOf } from './draft.ts';
import { JsonEditor } from './json-editor.tsx';
import { Preview } from './preview.tsx';
import { ServerCards } from './server-cards.tsx';
import { useResolution } from './use-resolution.ts';

const VIEWS = ['Structured', 'JSON'] as const;

interface ServerListEditorProps {
  readonly agent: string;
  readonly read: Tagged<AgentConfig>;
  /** Whether it has a list of its own, or gets what the files say. */
  readonly isStored: boolean;
  readonly executor: string;
  readonly onExecutor: (executor: string) => void;
}

export function ServerListEditor({ agent, read, isStored, executor, onExecutor }: ServerListEditorProps) {
  const [view, setView] = useState<(typeof VIEWS)[number]>('Structured');
  const edit = useDraft(agent, textOf(read.body));
  const found = listIn(edit.text);
  const list = 'list' in found ? found.list : undefined;
  const resolution = useResolution(agent, executor, list);
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">Servers</h2>
        <Choice label="View" options={VIEWS} chosen={view} onChoose={setView} />
      </div>
      <p className="mb-3 text-sm text-quiet">
        {isStored
          ? 'This agent has a list of its own; the config files do not count for it.'
          : 'From the config files. Once you save here, this agent has a list of its own.'}
      </p>
      {view === 'JSON' && <JsonEditor text={edit.text} problems={resolution.problems} onWrite={edit.write} />}
      {view === 'Structured' && list && <ServerCards list={list} onChange={changed => edit.write(textOf(changed))} />}
      {'because' in found && <Problems problems={[{ path: '', message: found.because }]} />}
      <Store agent={agent} executor={executor} edit={edit} read={read} isStored={isStored} />
      <Preview
        executor={executor}
        onExecutor={onExecutor}
        resolution={list && resolution}
        isEnabled={read.body.enabled}
      />
    </>
  );
}

function Outdated({ edit, stored }: { edit: Draft; stored: string }) {
  return (
    <div role="alert" className="mb-3">
      <Notice
        title="Somebody else changed these servers since you began; nothing was overwritten."
        next={
          <span className="flex flex-wrap gap-2">
            <Button onClick={edit.drop}>Show theirs, drop mine</Button>
            <Button onClick={() => edit.keep()}>Keep mine, to be saved over theirs</Button>
          </span>
        }
      />
      <Diff label="What they changed" text={unifiedDiff('', edit.of, stored)} />
    </div>
  );
}

function Store({ agent, executor, edit, read, isStored }: Omit<ServerListEditorProps, 'onExecutor'> & { edit: Draft }) {
  const queries = useQueryClient();
  const path = `/api/mcp-config?agent=${agent}`;
  const readAgain = () => queries.invalidateQueries({ queryKey: ['agents'] });
  const save = useMutation({
    mutationFn: () =>
      change(`${path}&executor=${executor}`, {
        method: 'POST',
        body: { enabled: read.body.enabled, ...JSON.parse(edit.text) },
        ifMatch: read.tag,
      }),
    onSuccess: async () => {
      await readAgain();
      edit.drop();
    },
    // Whoever was too late is shown what there is now.
    onError: readAgain,
  });
  const forget = useMutation({
    mutationFn: () => change(path, { method: 'DELETE', ifMatch: read.tag }),
    onSettled: readAgain,
  });
  const error = save.error ?? forget.error;
  const problems = error instanceof HubError ? error.problems : [];
  return (
    <div className="mt-3">
      {edit.isOutdated && !save.isPending && <Outdated edit={edit} stored={textOf(read.body)} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          className="font-medium"
          disabled={!edit.isChanged || edit.isOutdated || 'because' in listIn(edit.text) || save.isPending}
          onClick={() => save.mutate()}
        >
          Save
        </Button>
        {edit.isChanged && <Button onClick={edit.drop}>Undo my changes</Button>}
        {isStored && !edit.isChanged && <Button onClick={() => forget.mutate()}>Follow the config files again</Button>}
        <span role="status" className="text-sm text-quiet">
          {wordsFor(edit, save.isSuccess)}
        </span>
      </div>
      {error && !edit.isOutdated && (
        <div className="mt-3">{problems.length > 0 ? <Problems problems={problems} /> : <Failure error={error} />}</div>
      )}
    </div>
  );
}
