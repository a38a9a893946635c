/** Somebody else saved this server since the edit began: what they changed, what was changed here, and which is to count. */
import { Button } from '../../../parts/button.tsx';
import { Table } from '../../../parts/table.tsx';
import type { Draft } from '../../../parts/use-draft.ts';
import { definitionIn, differences, joined, textOf } from './definition.ts';

export function Conflict({ draft, stored }: { draft: Draft; stored: object }) {
  const began = definitionIn(draft.of);
  const mine = definitionIn(draft.text);
  if (!('definition' in began)) return null;
  const changed = 'definition' in mine ? mine.definition : {};
  const rows = differences(began.definition, stored, changed);
  return (
    <div role="alert" className="my-4 rounded-lg border border-wait bg-card p-4">
      <p className="mb-3 font-medium">Somebody else changed this server since you began; nothing was overwritten.</p>
      <Table
        label="What is different"
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          { title: 'Setting', cell: ({ key }) => key },
          { title: 'When you began', cell: ({ began: value }) => value ?? 'not set' },
          { title: 'Theirs, stored now', cell: ({ theirs }) => theirs ?? 'not set' },
          { title: 'Yours, not saved', cell: ({ mine: value }) => value ?? 'not set' },
        ]}
      />
      <div className="mt-3 flex flex-wrap gap-2">
        {'definition' in mine && (
          <Button onClick={() => draft.keep(textOf(joined(began.definition, { ...stored }, mine.definition)))}>
            Put my changes on top of theirs
          </Button>
        )}
        <Button onClick={draft.drop}>Show theirs, drop mine</Button>
        <Button onClick={() => draft.keep()}>Keep mine, to be saved over theirs</Button>
      </div>
    </div>
  );
}
