/** Reports one call to the listeners of a host: that it begins, its progress, and how it ends. */
import type { Bus } from '../base/bus.ts';
import { sentenceOf } from '../base/error.ts';
import type { Heartbeat, Heartbeats } from '../calls/heartbeat.ts';
import type { CallEnd, CallObserver } from '../calls/observer.ts';
import type { ProgressParams } from '../connections/rpc/conversation.ts';
import type { ToolCall, ToolRef } from '../permissions/caller.ts';
import { failedResult } from '../results/tool-result.ts';
import type { HostEvent } from './events.ts';

export interface CallEventsDeps {
  readonly events: Bus<HostEvent>;
  readonly heartbeats: Heartbeats;
}

export class CallEvents implements CallObserver {
  readonly #events: Bus<HostEvent>;
  readonly #about: ToolRef & { readonly call_id: string };
  readonly #heartbeat: Heartbeat;
  readonly #reportsEnds: boolean;

  /** `other`: who watches the call besides. One that names the call reports its beginning and end to the same listeners. */
  constructor({ events, heartbeats }: CallEventsDeps, { server, tool }: ToolRef, other: CallObserver | undefined) {
    this.#events = events;
    this.#about = { server, tool, call_id: other?.id ?? crypto.randomUUID() };
    this.#reportsEnds = other?.id === undefined;
    if (this.#reportsEnds) events.emit({ type: 'tool-call-begin', ...this.#about });
    // A silent server must not look like one that died.
    this.#heartbeat = heartbeats.begin(sign => events.emit({ type: 'tool-call-progress', ...this.#about, ...sign }));
  }

  progressed(_call: ToolCall, progress: ProgressParams): void {
    this.#heartbeat.progress(progress);
  }

  ended(_call: ToolCall, { result, error, failed }: CallEnd): void {
    this.#heartbeat[Symbol.dispose]();
    if (!this.#reportsEnds) return;
    this.#events.emit({
      type: 'tool-call-end',
      ...this.#about,
      result: result ?? failedResult(sentenceOf(error)),
      is_error: failed,
    });
  }
}
