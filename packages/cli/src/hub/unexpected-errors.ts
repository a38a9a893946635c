/**
 * The last boundary of the hub's process. An error that no request and no connection caught is a defect of ours: it is
 * logged with its stack, and the hub goes on, because every agent's session depends on it.
 */
import type { Log } from '@junctor/core/light';

export function surviveUnexpectedErrors(log: Log): Disposable {
  const report = (error: unknown): void =>
    log.error('unexpected error; please report it', { code: 'internal', why: stackOf(error) });
  process.on('uncaughtException', report).on('unhandledRejection', report);
  return {
    [Symbol.dispose]() {
      process.off('uncaughtException', report).off('unhandledRejection', report);
    },
  };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? String(error)) : String(error);
}
