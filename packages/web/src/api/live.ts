/** Keeps what is shown true: the hub tells what happened, and the lists it concerns are read again. Nothing is polled. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { hubAddress } from './hub-address.ts';

/** Which lists each event makes old. */
const OUTDATED: Readonly<Record<string, readonly string[]>> = {
  'state-changed': ['status', 'servers', 'instances', 'health'],
  'startup-complete': ['status', 'tools', 'instances'],
  'auth-required': ['status'],
  'list-changed': ['tools', 'explain', 'preflight'],
  'config-changed': [
    'servers',
    'status',
    'tools',
    'agents',
    'executors',
    'feasibility',
    'layers',
    'settings',
    'secrets',
    'explain',
    'preflight',
  ],
  'approval-requested': ['approvals'],
  'approval-answered': ['approvals', 'grants'],
  'session-opened': ['sessions', 'projects'],
  'session-closed': ['sessions', 'instances'],
  'tool-call-begin': ['calls', 'sessions'],
  'tool-call-end': ['calls', 'call-summary', 'stats', 'sessions', 'instances'],
  // We were away too long: anything may be another.
  'events-lost': [],
};

/** A busy hub tells of thousands of calls: what is shown is read again at most this often. */
const PAUSE_MS = 400;
/** What the hub has to look through every call for. */
const LONG_PAUSE_MS: Readonly<Record<string, number>> = { 'call-summary': 5000 };

export type Connection = 'connecting' | 'live' | 'lost';

export function useLive(): Connection {
  const queries = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connecting');
  useEffect(() => {
    const source = new EventSource(hubAddress('/api/events'));
    const refresh = readAgainSoon(queries);
    source.onopen = () => {
      setConnection('live');
      refresh.all();
    };
    source.onerror = () => setConnection('lost');
    for (const [type, lists] of Object.entries(OUTDATED)) {
      source.addEventListener(type, () => (lists.length === 0 ? refresh.all() : refresh.some(lists)));
    }
    return () => {
      source.close();
      refresh.stop();
    };
  }, [queries]);
  return connection;
}

function readAgainSoon(queries: QueryClient) {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const readAgain = (list: string): void => {
    timers.delete(list);
    void queries.invalidateQueries({ queryKey: [list] });
  };
  return {
    some(lists: readonly string[]): void {
      for (const list of lists) {
        if (timers.has(list)) continue;
        timers.set(
          list,
          setTimeout(() => readAgain(list), LONG_PAUSE_MS[list] ?? PAUSE_MS),
        );
      }
    },
    all: () => void queries.invalidateQueries(),
    stop: () => timers.forEach(clearTimeout),
  };
}
