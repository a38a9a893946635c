/** subscriptions/listen: a request that stays open, and brings the kinds of news its client chose. */
import type { Notice } from '../../notices.ts';
import { type Params, type RequestId, record, type Say } from '../../rpc.ts';
import type { SharedState } from '../../shared-state.ts';
import { META } from './envelope.ts';
import { detailedTask, requireTasks } from './tasks.ts';

export interface Listening {
  readonly id: RequestId;
  readonly params: Params;
  readonly capabilities: Params;
  readonly shared: SharedState;
  readonly say: Say;
  readonly signal: AbortSignal;
}

/** Resolves when the client has enough, or with the last answer when the server ends. */
export async function listen({ id, params, capabilities, shared, say, signal }: Listening): Promise<object> {
  const filter = acceptedFilter(record(params.notifications));
  if (filter.taskIds) requireTasks(capabilities);
  const _meta = { [META.subscriptionId]: id };
  const notify = (method: string, params: object): void =>
    say({ jsonrpc: '2.0', method, params: { ...params, _meta } });
  notify('notifications/subscriptions/acknowledged', { notifications: filter });
  const stop = shared.notices.listen(notice => {
    if (isChosen(notice, filter)) notify(methodOf(notice), paramsOf(notice));
  });
  try {
    await abortOf(AbortSignal.any([signal, shared.ended]));
  } finally {
    stop();
  }
  return { _meta };
}

interface Filter {
  readonly toolsListChanged?: true;
  readonly promptsListChanged?: true;
  readonly resourcesListChanged?: true;
  readonly resourceSubscriptions?: readonly string[];
  readonly taskIds?: readonly string[];
}

/** Of what the client wants, what this server can tell. */
function acceptedFilter(wanted: Params): Filter {
  const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions, taskIds } = wanted;
  return {
    ...(toolsListChanged === true ? { toolsListChanged } : {}),
    ...(promptsListChanged === true ? { promptsListChanged } : {}),
    ...(resourcesListChanged === true ? { resourcesListChanged } : {}),
    ...(Array.isArray(resourceSubscriptions) ? { resourceSubscriptions: resourceSubscriptions.map(String) } : {}),
    ...(Array.isArray(taskIds) ? { taskIds: taskIds.map(String) } : {}),
  };
}

function isChosen(notice: Notice, filter: Filter): boolean {
  if (notice.kind === 'list') return filter[`${notice.list}ListChanged`] === true;
  if (notice.kind === 'resource') return filter.resourceSubscriptions?.includes(notice.uri) ?? false;
  return filter.taskIds?.includes(notice.task.id) ?? false;
}

function methodOf(notice: Notice): string {
  if (notice.kind === 'list') return `notifications/${notice.list}/list_changed`;
  return notice.kind === 'resource' ? 'notifications/resources/updated' : 'notifications/tasks';
}

function paramsOf(notice: Notice): object {
  if (notice.kind === 'resource') return { uri: notice.uri };
  return notice.kind === 'task' ? detailedTask(notice.task) : {};
}

function abortOf(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
}
