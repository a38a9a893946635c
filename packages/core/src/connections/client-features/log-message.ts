/** A line of a server's own log: what it says, whether it was asked for, and how it is written into ours. */
import type { Log, LogLevel } from '../../base/log/log.ts';
import { plainText } from '../../base/text/plain-text.ts';

/** As MCP has them, the least important first. */
export const SERVER_LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;
/** As MCP has them, from the least important to the most. */
export type ServerLogLevel = (typeof SERVER_LOG_LEVELS)[number];

export interface ServerLogMessage {
  readonly server: string;
  readonly level: ServerLogLevel;
  readonly logger?: string;
  /** What the server said, untouched: a text, or anything else that JSON has. */
  readonly data: unknown;
}

/** Undefined where it is less than what was asked for, or no log message at all. */
export function readLogMessage(
  server: string,
  params: unknown,
  least: ServerLogLevel | undefined,
): ServerLogMessage | undefined {
  const { level, logger, data } = (params ?? {}) as { level?: unknown; logger?: unknown; data?: unknown };
  const rank = SERVER_LOG_LEVELS.indexOf(level as ServerLogLevel);
  // Not every server heeds the level it was given.
  if (rank < 0 || (least !== undefined && rank < SERVER_LOG_LEVELS.indexOf(least))) return undefined;
  return { server, level: level as ServerLogLevel, ...(typeof logger === 'string' ? { logger } : {}), data };
}

const OUR_LEVEL: Readonly<Record<ServerLogLevel, LogLevel>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};

/** Longer lines are cut: a server must not be able to fill a disk with one message. */
const MAX_CHARS = 4000;
const MAX_LOGGER_CHARS = 200;

export function writeLogMessage(log: Log, { server, level, logger, data }: ServerLogMessage): void {
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
  log[OUR_LEVEL[level]]('a server logs', {
    server,
    server_level: level,
    ...(logger === undefined ? {} : { logger: plainText(logger, { maxChars: MAX_LOGGER_CHARS }) }),
    text: plainText(text, { maxChars: MAX_CHARS }),
  });
}
