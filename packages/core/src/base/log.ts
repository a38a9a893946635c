import type { Redactor } from './redact.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogOptions {
  readonly level: LogLevel;
  /** Receives one finished, masked line without its newline. */
  readonly write: (line: string) => void;
  readonly redactor: Redactor;
  /** The level was asked for by whoever runs the program: no config changes it. */
  readonly fixed?: boolean | undefined;
}

/** Lines for people who look for the cause of something. Every line is masked before it is written. */
export class Log {
  readonly #options: LogOptions;
  readonly #threshold: number;

  constructor(options: LogOptions) {
    this.#options = options;
    this.#threshold = LOG_LEVELS.indexOf(options.level);
  }

  /** The same log with another level, as a config file wishes; not where the level was asked for already. */
  wished(level: LogLevel | undefined): Log {
    return level === undefined || this.#options.fixed ? this : new Log({ ...this.#options, level });
  }

  /** The same log, written somewhere else. */
  to(write: LogOptions['write']): Log {
    return new Log({ ...this.#options, write });
  }

  /** The same log with every line written. */
  get loudest(): Log {
    return this.verbose ? this : new Log({ ...this.#options, level: 'debug' });
  }

  /** True when debug lines are wanted: lets callers skip building them. */
  get verbose(): boolean {
    return this.#threshold === 0;
  }

  debug(text: string, facts?: object): void {
    this.#line('debug', text, facts);
  }

  info(text: string, facts?: object): void {
    this.#line('info', text, facts);
  }

  warn(text: string, facts?: object): void {
    this.#line('warn', text, facts);
  }

  error(text: string, facts?: object): void {
    this.#line('error', text, facts);
  }

  #line(level: LogLevel, text: string, facts?: object): void {
    if (LOG_LEVELS.indexOf(level) < this.#threshold) return;
    const tail = facts ? ` ${JSON.stringify(facts, describeError)}` : '';
    this.#options.write(this.#options.redactor.mask(`${level.toUpperCase()}: ${text}${tail}`));
  }
}

function describeError(_key: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value;
}
