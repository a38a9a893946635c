/** What a tool, a prompt or a resource can do while a client of the modern era asks for it. */
import type { Counts } from '../../calls.ts';
import type { Params, Say } from '../../rpc.ts';
import type { SharedState } from '../../shared-state.ts';
import { isWanted } from '../log-level.ts';
import type { RequestContext } from '../request-context.ts';
import type { Envelope } from './envelope.ts';
import { Rounds } from './rounds.ts';
import { knowsTasks, modernTask } from './tasks.ts';

export interface ModernRequest {
  readonly method: string;
  readonly params: Params;
  readonly envelope: Envelope;
  readonly shared: SharedState;
  readonly counts: Counts;
  readonly say: Say;
  readonly signal: AbortSignal;
}

export function modernContext({
  method,
  params,
  envelope,
  shared,
  counts,
  say,
  signal,
}: ModernRequest): RequestContext {
  const { capabilities, logLevel, progressToken } = envelope;
  const notify = (method: string, params: object): void => say({ jsonrpc: '2.0', method, params });
  const rounds = new Rounds({ method, params, capabilities, secret: shared.secret });
  const ask: RequestContext['ask'] = questions => rounds.ask(questions);
  return {
    signal,
    shared,
    counts,
    capabilities,
    resumed: rounds.resumed,
    answered: rounds.answered,
    ask,
    progress: (progress, total, message) => {
      if (progressToken === undefined) return;
      notify('notifications/progress', { progressToken, progress, total, message });
    },
    log: (level, data) => {
      if (logLevel === undefined || !isWanted(level, logLevel)) return;
      notify('notifications/message', { level, logger: shared.info.name, data });
    },
    inTask: async work => {
      if (!knowsTasks(capabilities)) return work({ signal, ask });
      return { resultType: 'task', ...modernTask(shared.tasks.start(work)) };
    },
    // A stream that is lost is lost, in this era: the client sends its request again.
    closeStream: () => {},
  };
}
