/** How one line of a log is written: for a person beside a command, for a person who reads it later, or for a collector. */

export const LOG_FORMATS = ['plain', 'text', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export interface LogEntry {
  readonly level: string;
  readonly text: string;
  readonly facts: object | undefined;
  readonly at: Date;
}

export function lineOf(format: LogFormat, { level, text, facts, at }: LogEntry): string {
  // What a line says of itself comes first, and no fact takes its place.
  if (format === 'json') {
    const own = { time: at.toISOString(), level, msg: text };
    return JSON.stringify({ ...own, ...facts, ...own }, describeError);
  }
  const plain = `${level.toUpperCase()}: ${text}${facts ? ` ${JSON.stringify(facts, describeError)}` : ''}`;
  // Indented, so that no word of a stranger begins a line that looks like one of ours.
  return format === 'plain' ? plain : `${at.toISOString()} ${plain.replaceAll('\n', '\n  ')}`;
}

function describeError(_key: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value;
}
