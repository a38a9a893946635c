/** How the agent sees its tools: each of them, or a few to search the others with. */
import type { Agent } from '@junctor/hub/answers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { change } from '../../api/client.ts';
import { Failure } from '../../parts/notice.tsx';

type Surface = Agent['surface'];

const SURFACES: Readonly<Record<Surface, string>> = {
  auto: 'auto: searched where they would take too much of its window',
  direct: 'direct: every tool is listed',
  search: 'search: it finds tools by words',
};

export function SurfaceChoice({ agent, surface }: { agent: string; surface: Surface }) {
  const queries = useQueryClient();
  const store = useMutation({
    mutationFn: (wanted: Surface) =>
      change(`/api/agents/${agent}/surface`, { method: 'PUT', body: { surface: wanted } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['agents'] }),
  });
  return (
    <>
      <label className="mb-4 flex flex-wrap items-center gap-2 text-sm">
        Its tools
        <select
          className="min-w-0 rounded border border-line bg-card p-2"
          // Shown at once; where the hub says no, it is as it was.
          value={store.isPending ? store.variables : surface}
          onChange={event => store.mutate(event.target.value as Surface)}
        >
          {Object.entries(SURFACES).map(([word, label]) => (
            <option key={word} value={word}>
              {label}
            </option>
          ))}
        </select>
        <span role="status" className="text-quiet">
          {store.isSuccess ? 'Counts for sessions that begin from now on' : ''}
        </span>
      </label>
      {store.error && <Failure error={store.error} />}
    </>
  );
}
