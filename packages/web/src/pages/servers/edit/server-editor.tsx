/** One server in two views of one text, and the way to save it without losing what another one saved. */
import type { Server, WrittenServer } from '@junctor/hub/answers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { change, HubError, type Tagged } from '../../../api/client.ts';
import { useServer } from '../../../api/queries.ts';
import { Button } from '../../../parts/button.tsx';
import { Choice } from '../../../parts/choice.tsx';
import { Failure, Loading, Notice } from '../../../parts/notice.tsx';
import { Problems } from '../../../parts/problems.tsx';
import { type Draft, useDraft, wordsFor } from '../../../parts/use-draft.ts';
import { Conflict } from './conflict.tsx';
import { definitionIn, textOf } from './definition.ts';
import { DefinitionForm } from './definition-form.tsx';

const DefinitionCodeEditor = lazy(() => import('./definition-code-editor.tsx'));

const VIEWS = ['Form', 'JSON'] as const;

/** What the hub alone knows to be wrong is told below, when it is saved. */
const NOTHING_ELSE: readonly never[] = [];

export function ServerEditor({ id }: { id: string }) {
  const { data, error } = useServer(id);
  if (data) return <Editor id={id} read={data} />;
  return error ? <Failure error={error} /> : <Loading />;
}

function Editor({ id, read }: { id: string; read: Tagged<Server> }) {
  const [view, setView] = useState<(typeof VIEWS)[number]>('Form');
  const { definition: stored, file, editable } = read.body;
  const draft = useDraft(`server ${id}`, textOf(stored));
  const found = definitionIn(draft.text);
  if (!editable)
    return (
      <Notice
        title="This page cannot change this server."
        why={file ? `It is defined in ${file}, which counts more than the file that this page writes.` : undefined}
        next="Change it there: the hub notices, and this page shows it at once."
      />
    );
  return (
    <section aria-label={`Edit ${id}`} className="max-w-3xl">
      <div className="mb-4">
        <Choice label="View" options={VIEWS} chosen={view} onChoose={setView} />
      </div>
      {view === 'JSON' && (
        <Suspense fallback={<p className="text-quiet">Loading the editor …</p>}>
          <DefinitionCodeEditor
            label={`Definition of ${id} as JSON`}
            text={draft.text}
            wrong={NOTHING_ELSE}
            onWrite={draft.write}
          />
        </Suspense>
      )}
      {view === 'Form' && 'definition' in found && (
        <DefinitionForm definition={found.definition} onChange={changed => draft.write(textOf(changed))} />
      )}
      {'because' in found && <Problems problems={[{ path: '', message: found.because }]} />}
      <Save id={id} draft={draft} read={read} />
    </section>
  );
}

function Save({ id, draft, read }: { id: string; draft: Draft; read: Tagged<Server> }) {
  const queries = useQueryClient();
  const readAgain = () => queries.invalidateQueries({ queryKey: ['servers'] });
  const save = useMutation({
    mutationFn: () =>
      change<WrittenServer>(`/api/servers/${encodeURIComponent(id)}`, {
        method: 'PUT',
        body: JSON.parse(draft.text),
        ifMatch: read.tag,
      }),
    onSuccess: async () => {
      await readAgain();
      draft.drop();
    },
    // Whoever was too late is shown what there is now.
    onError: readAgain,
  });
  const problems = save.error instanceof HubError ? save.error.problems : [];
  const { secrets = [] } = save.data ?? {};
  const isBroken = 'because' in definitionIn(draft.text);
  return (
    <>
      {draft.isOutdated && !save.isPending && <Conflict draft={draft} stored={read.body.definition} />}
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <Button
          className="font-medium"
          disabled={!draft.isChanged || draft.isOutdated || isBroken || save.isPending}
          onClick={() => save.mutate()}
        >
          Save
        </Button>
        {draft.isChanged && <Button onClick={draft.drop}>Undo my changes</Button>}
        <span role="status" className="text-sm text-quiet">
          {wordsFor(draft, save.isSuccess)}
          {!draft.isChanged && secrets.length > 0 && `; stored as secrets: ${secrets.join(', ')}`}
        </span>
      </div>
      {save.error && !draft.isOutdated && (
        <div className="mt-3">
          {problems.length > 0 ? <Problems problems={problems} /> : <Failure error={save.error} />}
        </div>
      )}
    </>
  );
}
