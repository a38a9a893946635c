import { type LogFormat, lineOf } from './log-line.ts';
import { Redactor } from './redact.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
/** From the least important to the most. */
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogOptions {
  readonly level: LogLevel;
  /** Receives one finished, masked line without its newline, and how important it is. */
  readonly write: (line: string, level: LogLevel) => void;
  readonly redactor: Redactor;
  /** The level was asked for by whoever runs the program: no config changes it. */
  readonly fixed?: boolean | undefined;
  /** Default `plain`. */
  readonly format?: LogFormat | undefined;
  /** What every line is about, besides what it says itself. */
  readonly about?: object | undefined;
}

/** Where a program wants to read what a host has to say. */
export interface LogTarget {
  /** The least that is written. Default: what `log.level` of the config says, else `warn`. */
  readonly level?: LogLevel | undefined;
  /** `plain`: the level and the words. `text`: the time before them. `json`: one object a line. Default `plain`. */
  readonly format?: LogFormat | undefined;
  /** Receives one finished line without its newline, secrets masked, and how important it is. */
  readonly write: (line: string, level: LogLevel) => void;
}

/** Lines for people who look for the cause of something. Every line is masked before it is written. */
export class Log {
  readonly #options: LogOptions;
  readonly #threshold: number;

  constructor(options: LogOptions) {
    this.#options = options;
    this.#threshold = LOG_LEVELS.indexOf(options.level);
  }

  /** What a program gave as its log, or one that nobody reads. */
  static of(given: LogTarget | Log | undefined, redactor = new Redactor()): Log {
    if (given instanceof Log) return given;
    if (!given) return new Log({ level: 'error', write: () => {}, redactor });
    const { level, format, write } = given;
    return new Log({ level: level ?? 'warn', format, write, redactor, fixed: level !== undefined });
  }

  /** The same log with another level, as a config file wishes; not where the level was asked for already. */
  wished(level: LogLevel | undefined): Log {
    return level === undefined || this.#options.fixed ? this : new Log({ ...this.#options, level });
  }

  /** The same log, written somewhere else. */
  to(write: LogOptions['write']): Log {
    return new Log({ ...this.#options, write });
  }

  /** The same log, each line of which says this too. */
  about(facts: object): Log {
    return new Log({ ...this.#options, about: { ...this.#options.about, ...facts } });
  }

  /** The same log with every line written. */
  get loudest(): Log {
    return this.verbose ? this : new Log({ ...this.#options, level: 'debug' });
  }

  /** True when debug lines are wanted: lets callers skip building them. */
  get verbose(): boolean {
    return this.#threshold === 0;
  }

  /** A line for whoever looks for a mistake. */
  debug(text: string, facts?: object): void {
    this.#line('debug', text, facts);
  }

  /** A line about what happens. */
  info(text: string, facts?: object): void {
    this.#line('info', text, facts);
  }

  /** A line about something that goes on in spite of a problem. */
  warn(text: string, facts?: object): void {
    this.#line('warn', text, facts);
  }

  /** A line about what failed. */
  error(text: string, facts?: object): void {
    this.#line('error', text, facts);
  }

  #line(level: LogLevel, text: string, facts?: object): void {
    if (LOG_LEVELS.indexOf(level) < this.#threshold) return;
    const { format = 'plain', about, redactor, write } = this.#options;
    const all = about || facts ? { ...about, ...facts } : undefined;
    write(redactor.mask(lineOf(format, { level, text, facts: all, at: new Date() })), level);
  }
}
