/** The levels of log messages, least urgent first. */
export const LOG_LEVELS: readonly string[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

export function isLogLevel(level: unknown): level is string {
  return LOG_LEVELS.includes(String(level));
}

/** Whether a message of this level is wanted by somebody who asked for `least` and above. */
export function isWanted(level: string, least: string): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least);
}
