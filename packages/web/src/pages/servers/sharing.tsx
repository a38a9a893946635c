/** Who shares a server, and what that costs: `3 agents, 1 process, 84 MB, idle 4 min`. */
import type { Instance } from '@junctor/hub/answers';
import { useInstances } from '../../api/queries.ts';
import { agoText, useNow } from '../../parts/ago.tsx';
import { bytesText } from '../../parts/amounts.ts';

export function Sharing({ id }: { id: string }) {
  const instances = (useInstances().data?.instances ?? []).filter(({ server }) => server === id);
  const now = useNow();
  return <span className="text-sm text-quiet">{sharingText(instances, now)}</span>;
}

export function sharingText(instances: readonly Instance[], now: number): string {
  const running = instances.filter(({ state }) => state === 'ready' || state === 'connecting');
  if (running.length === 0) return 'not running';
  const agents = new Set(running.flatMap(({ sessions }) => sessions.map(({ door }) => door))).size;
  const processes = running.reduce((sum, one) => sum + (one.processes ?? 0), 0);
  const bytes = running.reduce((sum, one) => sum + (one.memory_bytes ?? 0), 0);
  const calls = running.reduce((sum, one) => sum + one.calls, 0);
  const [last = ''] = running
    .map(({ used }) => used)
    .sort()
    .reverse();
  return [
    plural(agents, 'agent'),
    processes > 0 ? plural(processes, 'process', 'processes') : plural(running.length, 'connection'),
    ...(bytes > 0 ? [bytesText(bytes)] : []),
    calls > 0 ? `${plural(calls, 'call')} now` : `idle ${agoText(last, now).replace(/ ago$/, '')}`,
  ].join(', ');
}

function plural(count: number, word: string, words = `${word}s`): string {
  return `${count === 0 ? 'no' : count} ${count === 1 ? word : words}`;
}
