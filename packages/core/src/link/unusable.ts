import { JunctorError, type NextStep } from '../base/error.ts';
import type { LeftOut, Roster } from '../resolve/roster.ts';

/** A server that is defined, but not for this run. */
export function unusable({ id, because, kind, forRules, next }: LeftOut): JunctorError {
  if (forRules) {
    return new JunctorError(
      'trust_required',
      `Server '${id}' is not started: the place where it is to run waits for your approval.`,
      {
        server: id,
        why: because,
        hint: APPROVE_IN_PROGRAM,
        command: APPROVE_RULES,
      },
    );
  }
  if (kind === 'waiting') {
    return new JunctorError('trust_required', `Server '${id}' came with this project and waits for your approval.`, {
      server: id,
      why: because,
      hint: APPROVE_IN_PROGRAM,
      command: `look at it with: junctor explain ${id}, then: junctor trust add ${id}`,
    });
  }
  return new JunctorError('server_unusable', `Server '${id}' cannot be used: ${because}.`, {
    server: id,
    ...(next ?? STEPS[kind](id)),
  });
}

export const APPROVE_RULES = 'look at it with: junctor trust list, then: junctor trust add --rules';

/** A program vouches for what it passes in; for what lies in a project only a person can. */
const APPROVE_IN_PROGRAM =
  'name its file with path, or pass it in config or overrides, where you vouch for it; or let a person approve it: junctor trust add';

const STEPS: Readonly<Record<Exclude<LeftOut['kind'], 'waiting'>, (id: string) => NextStep>> = {
  off: id => ({
    hint: `switch it on: overrides: { version: 1, servers: { '${id}': { enabled: true } } }; host.resolution.leftOut says why it is off`,
    command: `junctor mcp enable ${id}, or see where it is switched off: junctor explain ${id}`,
  }),
  policy: () => ({
    hint: 'choose another executor, or change its policy in the config',
    command: 'choose another executor, or change its policy in the config: junctor validate names mistakes in it',
  }),
  broken: id => ({
    hint: 'set what is missing (a variable, or a secret through the option secrets), or mend it',
    command: `set what is missing (a variable, or: junctor secret set NAME), or mend it: junctor explain ${id}`,
  }),
};

/** The servers that somebody should do something about before they can be tried. One that is switched off needs nothing. */
export function untried({ leftOut }: Roster): { readonly server: string; readonly error: JunctorError }[] {
  return leftOut
    .filter(({ kind }) => kind === 'waiting' || kind === 'broken')
    .map(one => ({ server: one.id, error: unusable(one) }));
}
