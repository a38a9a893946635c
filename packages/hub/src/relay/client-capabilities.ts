/** What servers are told that their clients can do. */
import { isObject } from '@junctor/core/internal';
import type { Caller } from '../visit/room.ts';

/** The capabilities that a client declares. */
export type ClientFeatures = Readonly<Record<string, unknown>>;

/** Of clients that are not known yet. A client that lacks some of it says so when it is asked. */
export const ANY_CLIENT: ClientFeatures = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: { form: {}, url: {} },
};

/** In the newer era each request says what its client can do, and the next may say something else. */
export function capabilitiesOf({ era, capabilities }: Caller): ClientFeatures {
  return era === 'legacy' ? wellFormed(capabilities) : ANY_CLIENT;
}

/** A client can write anything there, and a server that does not expect it may end. */
function wellFormed(capabilities: ClientFeatures): ClientFeatures {
  return Object.fromEntries(Object.entries(capabilities).filter(([, value]) => isObject(value)));
}

/** Whether a server offers the same to both: servers look at which features a client has, and at little inside them. */
export function sameFeatures(a: ClientFeatures, b: ClientFeatures): boolean {
  return JSON.stringify(featuresOf(a)) === JSON.stringify(featuresOf(b));
}

function featuresOf({ roots, sampling, elicitation, extensions }: ClientFeatures): unknown[] {
  const inside = (value: unknown): string[] => Object.keys((value ?? {}) as object).sort();
  // A client from before forms and pages were told apart has forms.
  const asks = elicitation === undefined ? undefined : [...new Set(['form', ...inside(elicitation)])];
  return [roots !== undefined, sampling !== undefined && inside(sampling), asks, inside(extensions)];
}
