/** Calls that wait for a yes are told wherever one is: in the title, and, where a person asked for it, by the browser. */
import type { Approval } from '@junctor/hub/answers';
import { useEffect, useRef } from 'react';
import { useApprovals } from '../../api/queries.ts';
import { withoutControls } from '../../parts/foreign.tsx';
import { goTo } from '../../parts/route.ts';

const KEY = 'junctor-notify';
const LONGEST = 120;

export function isNotified(): boolean {
  return (
    typeof Notification !== 'undefined' && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on'
  );
}

export function setNotified(isOn: boolean): void {
  localStorage.setItem(KEY, isOn ? 'on' : 'off');
}

export function useApprovalNews(): void {
  const approvals = useApprovals().data?.approvals;
  const told = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (!approvals) return;
    document.title = approvals.length === 0 ? 'Junctor' : `(${approvals.length}) Junctor`;
    const before = told.current;
    told.current = new Set(approvals.map(({ id }) => id));
    // What waited when the page was opened is seen on it.
    if (before && isNotified()) for (const one of approvals) if (!before.has(one.id)) tell(one);
  }, [approvals]);
}

function tell({ id, agent, server, tool }: Approval): void {
  const words = (text: string): string => withoutControls(text).slice(0, LONGEST);
  const news = new Notification(`${words(agent ?? 'A client')} waits for a yes`, {
    body: `It wants to call ${words(tool)} of ${words(server)}.`,
    tag: id,
  });
  news.onclick = () => {
    window.focus();
    goTo('approvals');
    news.close();
  };
}
