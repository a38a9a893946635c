/** `/api/events` as a program reads it. */
import type { AnyHub } from './rest-client.ts';

export interface HeardEvent {
  readonly id: string;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever comes
  readonly data: any;
}

/** Follows a stream of events. */
export async function listen(hub: AnyHub, path: string, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const answer = await hub.fetch(path, { headers, signal: abort.signal });
  const reader = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    contentType: answer.headers.get('content-type'),
    async until(wanted: (event: HeardEvent) => boolean): Promise<HeardEvent> {
      for (;;) {
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const event = parse(text.slice(0, end));
          text = text.slice(end + 2);
          if (event && wanted(event)) return event;
        }
        const { value, done } = await reader.read();
        if (done) throw new Error('the stream ended');
        text += value;
      }
    },
    async [Symbol.asyncDispose]() {
      abort.abort();
      await reader.cancel().catch(() => {});
    },
  };
}

function parse(block: string): HeardEvent | undefined {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
  return field('data') === '' ? undefined : { id: field('id'), type: field('event'), data: JSON.parse(field('data')) };
}
