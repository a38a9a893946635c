import type { NextStep } from '../../base/error.ts';

/** Where the evidence is not enough: how to see all that a server and we say to each other. */
export function seeMore(server: string): Required<NextStep> {
  return {
    hint: `see what is said: debug: true on server '${server}', and log: { level: 'debug', write } in createHost`,
    command: `see what is said: junctor mcp tools ${server} --debug`,
  };
}
