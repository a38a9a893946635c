/** Notes that nobody keeps: of what another hub asks here, which has written it down itself. */
import type { Host } from '@junctor/core';
import { DoorNotes } from './door-notes.ts';

export function unnoted(host: Host): DoorNotes {
  const call = { id: '', asked() {}, judged() {}, sending: () => undefined, ended() {} };
  const sessions = { opened() {}, reached() {}, delivered: () => [], has: () => true, isInitialised: () => true };
  return new DoorNotes({ calls: { begin: () => call }, sessions, tracer: undefined }, host);
}
