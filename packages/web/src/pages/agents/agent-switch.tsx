/** Whether an agent gets any servers at all. Counts at once; what is being edited below is left as it is. */
import type { AgentConfig } from '@junctor/hub/answers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { change, type Tagged } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/notice.tsx';

export function AgentSwitch({ agent, read }: { agent: string; read: Tagged<AgentConfig> }) {
  const queries = useQueryClient();
  const { agent_id: _id, ...config } = read.body;
  const turn = useMutation({
    mutationFn: () =>
      change(`/api/mcp-config?agent=${agent}`, {
        method: 'POST',
        body: { ...config, enabled: !config.enabled },
        ifMatch: read.tag,
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['agents'] }),
  });
  return (
    <>
      <Button
        role="switch"
        aria-checked={config.enabled}
        aria-label={`MCP for ${agent}`}
        disabled={turn.isPending}
        onClick={() => turn.mutate()}
      >
        MCP is {config.enabled ? 'on' : 'off'}
      </Button>
      {turn.error && <Failure error={turn.error} />}
    </>
  );
}
