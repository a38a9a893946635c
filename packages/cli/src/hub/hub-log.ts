/**
 * What a hub says while it runs, on stderr: a line has its time and its level, or is an object for programs that collect logs.
 * The lines of its hosts are among them.
 */
import { loadMcpConfig } from '@junctor/core/config-read';
import { isJunctorError, Log, toldOf } from '@junctor/core/light';
import { oneOf } from '../choice.ts';
import { type Context, loadOptions } from '../context.ts';
import { exitCodeOf } from '../output/problem.ts';

const FORMATS = ['text', 'json'] as const;
type Format = (typeof FORMATS)[number];

export interface HubLog {
  /** Of the hub itself: news of it are few, and are told unless somebody wants less. */
  readonly own: Log;
  /** Of its servers: by default what is wrong with them. */
  readonly hosts: Log;
  readonly format: Format;
}

/** `asked`: what the person who starts it says, which counts more than the config. */
export async function openHubLog(context: Context, asked: string | undefined): Promise<HubLog> {
  const given = asked === undefined ? undefined : oneOf('log-format', asked, FORMATS);
  // What is wrong with the config is told when the hub itself reads it.
  const written = await loadMcpConfig(loadOptions(context)).then(
    ({ frame }) => frame.log,
    () => undefined,
  );
  const format = given ?? written?.format ?? 'text';
  const { redactor, talk } = context;
  const at = (level: 'info' | 'warn'): Log =>
    context.log.verbose
      ? new Log({ level: 'debug', fixed: true, format, write: talk, redactor })
      : new Log({ level, format, write: talk, redactor }).wished(written?.level);
  return { own: at('info'), hosts: at('warn'), format };
}

/** A collector gets the reason why no hub runs in the form of all else. */
export function tellEnd(log: HubLog, context: Context, error: unknown): number {
  if (log.format === 'text' || context.global.json || isJunctorError(error, 'cancelled')) throw error;
  if (isJunctorError(error)) {
    const { message, ...told } = toldOf(error);
    log.own.error(message, { ...told, server: error.server });
  } else log.own.error('A defect in Junctor.', { code: 'internal', why: error });
  return exitCodeOf(error);
}
