/** subscriptions/listen: a request that stays open, and brings the kinds of news its client chose: changed lists, resources and tasks. */
import { isObject, META } from '@junctor/core/internal';
import type { Subscriber } from '../relay/subscriptions.ts';
import { refusesTasks } from '../relay/tasks/answer-tasks.ts';
import type { Upstream } from '../relay/upstream.ts';
import type { Flight } from '../visit/flight.ts';
import type { Reply } from '../visit/reply.ts';
import type { Caller, FollowedTask } from '../visit/room.ts';
import { complete } from '../visit/stamp.ts';
import type { News } from './news.ts';

export interface Listening {
  readonly id: unknown;
  readonly params: Record<string, unknown>;
  readonly caller: Caller;
  readonly reply: Reply;
  readonly flight: Flight;
  readonly news: News;
}

const LISTS = {
  toolsListChanged: 'notifications/tools/list_changed',
  promptsListChanged: 'notifications/prompts/list_changed',
  resourcesListChanged: 'notifications/resources/list_changed',
} as const;

export async function listen({ id, params, caller, reply, flight, news }: Listening): Promise<void> {
  const { session } = caller;
  const wanted = isObject(params.notifications) ? params.notifications : {};
  const lists = (Object.keys(LISTS) as (keyof typeof LISTS)[]).filter(list => wanted[list] === true);
  const _meta = { [META.subscriptionId]: id };
  const notify = (method: string, about: object): void =>
    reply.say({ jsonrpc: '2.0', method, params: { ...about, _meta: { ...metaOf(about), ..._meta } } });
  const uris = textsIn(wanted.resourceSubscriptions);
  const taskIds = textsIn(wanted.taskIds);
  if (taskIds.length > 0 && refusesTasks({ request: { method: 'subscriptions/listen', params }, reply, caller }))
    return;
  const watched: Upstream[] = [];
  const tasks = new Map<string, FollowedTask>();
  const followed: { readonly upstream: Upstream; readonly uri: string }[] = [];
  const subscriber: Subscriber = {
    updated(server, params) {
      const method = 'notifications/resources/updated';
      notify(method, session.room.outward(server, method, params));
    },
  };
  const stop = news.listen({
    session,
    changed: method => {
      if (lists.some(list => LISTS[list] === method)) notify(method, {});
    },
    over: () => reply.result(complete('subscriptions/listen', { _meta })),
  });
  const end = (): void => {
    stop();
    for (const upstream of watched) upstream.watchers--;
    for (const task of tasks.values()) task.stop();
    for (const { upstream, uri } of followed)
      upstream.subscriptions.remove(uri, subscriber, upstream.live).catch(() => {});
    reply.abandon();
  };
  flight.sent(end);
  for (const upstream of await session.room.watched(caller)) {
    upstream.watchers++;
    watched.push(upstream);
  }
  const accepted: string[] = [];
  for (const uri of uris) {
    const found = await session.room.subscribe(uri, subscriber, caller).catch(() => undefined);
    if (found) followed.push(found);
    if (found) accepted.push(uri);
  }
  if (flight.cancelled) return end();
  const tellTask = (state: object): void => notify('notifications/tasks', state);
  for (const id of taskIds) {
    const found = session.room.followTask(id, caller, tellTask);
    if (found) tasks.set(id, found);
  }
  const filter = {
    ...Object.fromEntries(lists.map(list => [list, true])),
    ...(uris.length > 0 ? { resourceSubscriptions: accepted } : {}),
    ...(taskIds.length > 0 ? { taskIds: [...tasks.keys()] } : {}),
  };
  notify('notifications/subscriptions/acknowledged', { notifications: filter });
  // A task that ended or asked before somebody listened would never be told of.
  for (const { now } of tasks.values()) if (now) tellTask(now);
}

function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? [...new Set(list.filter(one => typeof one === 'string'))] : [];
}

function metaOf({ _meta }: { readonly _meta?: unknown }): object {
  return isObject(_meta) ? _meta : {};
}
