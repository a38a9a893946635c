/** What was taken out a moment ago, and the way back. The hub remembers it: a reload of the page changes nothing. */
import type { RemovedServer } from '@junctor/hub/answers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { change } from '../../api/client.ts';
import { Ago } from '../../parts/ago.tsx';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/notice.tsx';

export function Removed({ removed }: { removed: readonly RemovedServer[] }) {
  return (
    <div role="status">
      {removed.map(one => (
        <RemovedOne key={one.id} removed={one} />
      ))}
    </div>
  );
}

function RemovedOne({ removed: { id, file, at } }: { removed: RemovedServer }) {
  const queries = useQueryClient();
  const restore = useMutation({
    mutationFn: () => change(`/api/servers/${encodeURIComponent(id)}/restore`, { method: 'POST' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['servers'] }),
  });
  return (
    <div className="mb-3 flex flex-wrap items-center gap-3 rounded-lg border border-line bg-card px-4 py-2">
      <p>
        '{id}' was taken out of <span className="foreign">{file}</span> <Ago at={at} />.
      </p>
      <Button disabled={restore.isPending} onClick={() => restore.mutate()}>
        Put {id} back
      </Button>
      {restore.error && <Failure error={restore.error} />}
    </div>
  );
}
