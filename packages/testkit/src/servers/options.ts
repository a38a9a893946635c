/** What can be chosen when the test server is started. */

import type { ServedOffer } from './offer/served-offer.ts';

/** The two ways MCP is spoken: with a handshake (up to 2025-11-25), and without one (2026-07-28). */
export type Era = 'legacy' | 'modern';

export interface TestServerOptions {
  /** Which of them are spoken. */
  readonly era?: Era | 'both' | undefined;
  /** At least this many tools. */
  readonly tools?: number | undefined;
  /** Tools, resources or prompts per page of a list. */
  readonly pageSize?: number | undefined;
  /** How long the answer to initialize or server/discover takes. */
  readonly delayMs?: number | undefined;
  /** How long a client of the modern era may keep a list. */
  readonly listTtlMs?: number | undefined;
  /** Also the tools, resources and prompts that the MCP conformance suite calls. */
  readonly fixtures?: boolean | undefined;
  /** Offers the experimental capability codex/sandbox-state, and a tool that shows the last state. */
  readonly sandboxState?: boolean | undefined;
  /** Serves this in place of everything the test server has itself. */
  readonly offer?: ServedOffer | undefined;
  /** Over HTTP, every request must bring it as its bearer token. Absent: any program of this machine is served. */
  readonly token?: string | undefined;
}

export function speaks(options: TestServerOptions, era: Era): boolean {
  return options.era === undefined || options.era === 'both' || options.era === era;
}
