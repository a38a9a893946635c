import type { Log } from '@junctor/core/light';

interface Warned {
  readonly provider: string;
  readonly model: string;
  readonly warnings: readonly object[];
}

/**
 * The AI SDK warns on stderr by itself, in the middle of what a person types, unless a program takes the warnings: a
 * global name is its only way. Ours go to the log, where --debug shows them.
 */
export function logModelWarnings(log: Log): void {
  const take = ({ provider, model, warnings }: Warned): void => {
    for (const warning of warnings) log.debug(`the model ${model} of ${provider} warns`, warning);
  };
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: take });
}
