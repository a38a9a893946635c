/** An answer that comes piece by piece: each line is JSON. It ends with what `tell` does; it is cut when nobody waits, or nobody may. */
import { UNBUFFERED } from '../endpoint/stream-headers.ts';
import { failureAnswer } from './failure.ts';

interface JsonLinesOptions {
  readonly signal: AbortSignal;
  readonly mask: (text: string) => string;
}

/** What goes wrong once the answer has begun is its last line. */
export function jsonLines(
  { signal, mask }: JsonLinesOptions,
  tell: (write: (line: object) => void) => Promise<void>,
): Response {
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (line: object): void => {
        if (!signal.aborted) controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
      };
      if (signal.aborted) return controller.error(signal.reason);
      signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
      try {
        await tell(write);
      } catch (error) {
        write(failureAnswer(error, { mask }).body);
      }
      if (!signal.aborted) controller.close();
    },
  });
  return new Response(stream, {
    headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store', ...UNBUFFERED },
  });
}
