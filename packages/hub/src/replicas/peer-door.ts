/** The door at which one hub lets others reach what it runs for all of them. */

/** Where a hub shows another its proof: no Authorization, which belongs to people and agents. */
export const HUB_PROOF_HEADER = 'junctor-hub-proof';

/** Its path, by the name of the lease. */
export function peerDoor(lease: string): string {
  return `/peers/${lease}`;
}

export const PEER_DOOR: RegExp = /^\/peers\/([0-9a-f]{64})$/;
