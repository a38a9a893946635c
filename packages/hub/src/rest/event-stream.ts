/** An answer that goes on for as long as somebody listens: events, and signs of life between them. */
import { EVENT_STREAM } from '../endpoint/stream-headers.ts';

/** Proxies and clients give up on a stream that stays silent longer. */
const SIGN_EVERY_MS = 25_000;

interface EventStreamOptions {
  /** Aborted when nobody listens any more, or nobody may. */
  readonly signal: AbortSignal;
  /** How many pieces a listener may be behind with. */
  readonly maxUnread: number;
}

export interface EventOutlet {
  /** How many pieces more the listener may be behind with. */
  readonly room: number;
  write(text: string): void;
  /** Lets the listener go. */
  stop(): void;
}

/** `begin` says what is to be undone at the end. */
export function eventStream(
  { signal, maxUnread }: EventStreamOptions,
  begin: (outlet: EventOutlet) => () => void,
): Response {
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let over = false;
        let undo: (() => void) | undefined;
        const write = (text: string): void => {
          if (!over) controller.enqueue(encoder.encode(text));
        };
        const sign = setInterval(() => write(': still here\n\n'), SIGN_EVERY_MS);
        const stop = (): void => {
          if (over) return;
          over = true;
          clearInterval(sign);
          signal.removeEventListener('abort', stop);
          undo?.();
          try {
            controller.close();
          } catch {
            // The client has gone already.
          }
        };
        signal.addEventListener('abort', stop);
        // Headers reach the client at once, not with the first event.
        write(': here\n\n');
        const end = begin({
          write,
          stop,
          get room() {
            return controller.desiredSize ?? 0;
          },
        });
        // It may have been too much for the listener at once.
        if (over) return end();
        undo = end;
        if (signal.aborted) stop();
      },
    },
    { highWaterMark: maxUnread },
  );
  return new Response(stream, { headers: EVENT_STREAM });
}
