/** What a server tells unasked about what it offers. */
import type { ListName } from './list-kind.ts';

export type Announcement = { readonly changed: ListName } | { readonly updated: string };

const LISTS: Readonly<Record<string, ListName>> = {
  'notifications/tools/list_changed': 'tools',
  'notifications/resources/list_changed': 'resources',
  'notifications/prompts/list_changed': 'prompts',
};

/** Undefined for a notification that is about something else. */
export function readAnnouncement(method: string, params: unknown): Announcement | undefined {
  const changed = LISTS[method];
  if (changed) return { changed };
  if (method !== 'notifications/resources/updated') return undefined;
  const { uri } = (params ?? {}) as { uri?: unknown };
  return typeof uri === 'string' ? { updated: uri } : undefined;
}
