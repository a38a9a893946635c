/** What servers are told that their clients can do. */
import type { Caller } from '../visit/room.ts';

/** Of clients that are not known yet. A client that lacks some of it says so when it is asked. */
export const ANY_CLIENT: Readonly<Record<string, unknown>> = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: { form: {}, url: {} },
};

/** In the newer era each request says what its client can do, and the next may say something else. */
export function capabilitiesOf({ era, capabilities }: Caller): Readonly<Record<string, unknown>> {
  return era === 'legacy' ? capabilities : ANY_CLIENT;
}
