/** The door at which one hub lets others reach what it runs for all of them. */

/** What a hub shows another: no Authorization, which belongs to people and agents. */
export const HUB_PASS_HEADER = 'junctor-hub-pass';

/** Its path, by the name of the lease. */
export const PEER_DOOR: RegExp = /^\/peers\/([0-9a-f]{64})$/;
