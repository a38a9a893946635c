/** A client of the newer era that listens to tasks. */
import { expect } from 'vitest';
import { modernPost } from './modern-rpc.ts';
import type { TaskHub } from './task-client.ts';

const KNOWING = { extensions: { 'io.modelcontextprotocol/tasks': {} }, elicitation: {} };

export interface Told {
  readonly method: string;
  readonly params: {
    readonly taskId?: string;
    readonly status?: string;
    readonly notifications?: {
      readonly taskIds?: readonly string[];
      readonly resourceSubscriptions?: readonly string[];
    };
    readonly [key: string]: unknown;
  };
}

/** Opens a stream of news about these tasks, and keeps what is told there. */
export async function listenTo(hub: TaskHub, path: string, taskIds: readonly string[], more: object = {}) {
  const stop = new AbortController();
  const response = await modernPost(hub as never, path, {
    ...{ method: 'subscriptions/listen', params: { notifications: { taskIds, ...more } } },
    ...{ capabilities: KNOWING, signal: stop.signal },
  });
  const told: Told[] = [];
  const reading = (async () => {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('data: {')) told.push(JSON.parse(line.slice('data: '.length)));
    }
  })().catch(() => {});
  await expect.poll(() => told.length).toBeGreaterThan(0);
  return {
    told,
    accepted: told[0]?.params.notifications?.taskIds,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await reading;
    },
  };
}
