import type { Environment } from '../process/environment.ts';

/** The variables of ours that a program needs to find its way; the rest of our environment is none of its business. */
export function passedOn(environment: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap(name => (environment[name] === undefined ? [] : [[name, environment[name]] as const])),
  );
}
