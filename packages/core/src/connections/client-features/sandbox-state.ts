/** Servers that adapt to the sandbox around an agent say so, and are told of its state. */

import type { Link } from '../link.ts';
import type { Greeting } from '../protocol/handshake.ts';

/** What a program says about the sandbox. Servers and programs agree on the keys; Junctor passes them on. */
export type SandboxState = Readonly<Record<string, unknown>>;

const CAPABILITY = 'codex/sandbox-state';

export function followsSandbox({ capabilities }: Pick<Greeting, 'capabilities'>): boolean {
  const experimental = capabilities.experimental as Readonly<Record<string, unknown>> | undefined;
  // Written as `true` by some, as an object of options by others.
  return Boolean(capabilities[CAPABILITY] ?? experimental?.[CAPABILITY]);
}

/** Says nothing to a server that did not ask for it. */
export function tellSandboxState({ greeting, conversation }: Link, state: SandboxState): void {
  if (followsSandbox(greeting)) conversation.notify(`${CAPABILITY}/update`, state);
}
