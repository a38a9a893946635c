/** Every page of the house, in the order of its navigation. A page is loaded when it is first opened. */
import { type ComponentType, lazy } from 'react';
import { Overview } from '../pages/overview.tsx';

export interface PageProps {
  readonly rest: readonly string[];
}

export interface Page {
  readonly id: string;
  readonly title: string;
  /** Pressed after `g`. */
  readonly key: string;
  readonly show: ComponentType<PageProps>;
}

export const PAGES: readonly Page[] = [
  { id: 'overview', title: 'Overview', key: 'o', show: Overview },
  { id: 'servers', title: 'Servers', key: 's', show: lazy(() => import('../pages/servers/servers.tsx')) },
  { id: 'tools', title: 'Tools', key: 't', show: lazy(() => import('../pages/tools/tools.tsx')) },
  { id: 'agents', title: 'Agents', key: 'e', show: lazy(() => import('../pages/agents/agents.tsx')) },
  { id: 'executors', title: 'Executors', key: 'x', show: lazy(() => import('../pages/executors/executors.tsx')) },
  { id: 'approvals', title: 'Approvals', key: 'a', show: lazy(() => import('../pages/approvals/approvals.tsx')) },
  { id: 'activity', title: 'Activity', key: 'c', show: lazy(() => import('../pages/activity/activity.tsx')) },
  { id: 'settings', title: 'Settings', key: 'i', show: lazy(() => import('../pages/settings/settings.tsx')) },
];
