/** Where the palette can go, and what it can do. */
import { useAgents, useServers, useTools } from '../api/queries.ts';
import { ADD, addressOf } from '../parts/route.ts';
import { PAGES } from './pages.tsx';

export type Target =
  | { readonly label: string; readonly address: string }
  | { readonly label: string; readonly run: () => void };

/** The usual things to do, and where that is. */
const DEEDS: readonly Target[] = [
  { label: 'Add a server', address: addressOf('servers', ADD) },
  { label: 'Answer calls that wait', address: addressOf('approvals') },
  { label: 'Make a token', address: addressOf('settings', 'tokens') },
  { label: 'Set a secret', address: addressOf('settings', 'secrets') },
  { label: 'Change limits', address: addressOf('settings', 'limits') },
  { label: 'See config files and what is wrong in them', address: addressOf('settings', 'files') },
];

export function useTargets(): Target[] {
  const servers = useServers().data?.servers ?? [];
  const agents = useAgents().data?.agents ?? [];
  const tools = useTools().data?.tools ?? [];
  return [
    ...PAGES.map(({ id, title }) => ({ label: title, address: addressOf(id) })),
    ...servers.map(({ id }) => ({ label: `Server ${id}`, address: addressOf('servers', id) })),
    ...agents.map(({ agent_id: id }) => ({ label: `Agent ${id}`, address: addressOf('agents', id) })),
    ...DEEDS,
    ...tools.map(({ name, server, tool }) => ({
      label: `Tool ${tool} of ${server}`,
      address: addressOf('tools', name),
    })),
  ];
}

/** Those with every word; the ones that begin with the text first. */
export function matching(targets: readonly Target[], text: string): Target[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = targets.filter(({ label }) => words.every(word => label.toLowerCase().includes(word)));
  const begins = ({ label }: Target): boolean => label.toLowerCase().startsWith(text.toLowerCase());
  return [...found.filter(begins), ...found.filter(one => !begins(one))];
}
