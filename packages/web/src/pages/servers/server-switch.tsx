/** On or off, shown at once; it falls back where the hub says no. */
import type { Server } from '@junctor/hub/answers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { change } from '../../api/client.ts';
import { chosenProject } from '../../api/project.ts';
import { Button } from '../../parts/button.tsx';

export function ServerSwitch({ server: { id, enabled, editable } }: { server: Server }) {
  const queries = useQueryClient();
  const turn = useMutation({
    mutationFn: (to: boolean) =>
      change(`/api/servers/${encodeURIComponent(id)}`, { method: 'PATCH', body: { enabled: to } }),
    // Until the new list is here the switch shows what was asked for.
    onSettled: () => queries.invalidateQueries({ queryKey: ['servers'] }),
  });
  const isOn = turn.isPending ? turn.variables : enabled;
  return (
    <>
      <Button
        role="switch"
        aria-checked={isOn}
        aria-label={`Server ${id}`}
        // The page writes your own file, which does not count above that of a project.
        disabled={turn.isPending || (!editable && chosenProject() !== undefined)}
        onClick={() => turn.mutate(!enabled)}
      >
        {isOn ? 'On' : 'Off'}
      </Button>
      {turn.error && (
        <p role="alert" className="mt-1 text-bad">
          {turn.error.message}
        </p>
      )}
    </>
  );
}
