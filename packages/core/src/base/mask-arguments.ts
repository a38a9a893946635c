/** The arguments of a call as they may be shown: what is a secret, or is named like one, is masked. */
import { MASK } from './redact.ts';

/** Narrower than for headers and variables: whoever decides about a call has to see what it says. */
const SECRET_ARGUMENT =
  /(authorization|cookie|secret|passw(or)?d|passphrase|credential|(api|private|access)[-_]?key|((^|[-_])|access|auth|bearer|refresh)token$)/i;

export function maskArguments(args: unknown, mask: (text: string) => string): unknown {
  if (typeof args === 'string') return mask(args);
  if (Array.isArray(args)) return args.map(item => maskArguments(item, mask));
  if (typeof args !== 'object' || args === null) return args;
  const entries = Object.entries(args).map(([name, value]) =>
    typeof value === 'string' && SECRET_ARGUMENT.test(name) ? [name, MASK] : [name, maskArguments(value, mask)],
  );
  return Object.fromEntries(entries);
}
