/** One call as its listeners see it: that it begins, that it lives, how it ends. */
import type { Bus } from './base/bus.ts';
import { sentenceOf } from './base/error.ts';
import type { CallOptions, ToolRef } from './call/call.ts';
import type { Heartbeats } from './call/heartbeat.ts';
import type { HostEvent } from './events.ts';
import type { ToolResult } from './result/tool-result.ts';

export interface Announced {
  readonly events: Bus<HostEvent>;
  readonly heartbeats: Heartbeats;
}

export async function announced(
  { events, heartbeats }: Announced,
  { server, tool }: ToolRef,
  options: CallOptions,
  run: (options: CallOptions) => Promise<ToolResult>,
): Promise<ToolResult> {
  const about = { server, tool, call_id: crypto.randomUUID() };
  events.emit({ type: 'tool-call-begin', ...about });
  using heartbeat = heartbeats.begin(sign => events.emit({ type: 'tool-call-progress', ...about, ...sign }));
  const onProgress: CallOptions['onProgress'] = progress => {
    heartbeat.progress(progress);
    options.onProgress?.(progress);
  };
  try {
    const result = await run({ ...options, onProgress });
    events.emit({ type: 'tool-call-end', ...about, result, is_error: !result.success });
    return result;
  } catch (error) {
    events.emit({ type: 'tool-call-end', ...about, result: sentenceOf(error), is_error: true });
    throw error;
  }
}
