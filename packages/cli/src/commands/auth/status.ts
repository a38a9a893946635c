import { authStatus, createHost, type Host, type AuthStatus as Stored } from '@junctor/core';
import { orAborted } from '@junctor/core/internal';
import { isJunctorError } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { hostOptions } from '../../context.ts';
import { signInsOfHub } from '../../hub/hub-sign-ins.ts';
import { table } from '../../output/table.ts';

/**
 * `unknown`: nothing is stored for it, and it could not be asked whether it wants a sign-in. `credentials_required`: it
 * answered 401, and names no way to sign in.
 */
type State = Stored['state'] | 'unknown' | 'credentials_required';
type Status = Omit<Stored, 'state'> & { readonly state: State };

export const authStatusCommand = defineCommand({
  details: [
    'It shows what is stored. A server that nothing is stored for is asked whether it wants a sign-in. With an ID, the exit',
    'code is 3 where you need to log in.',
  ].join('\n'),
  async run(context, { words: [only] }) {
    await using host = await createHost({ ...hostOptions(context), attempts: 1 });
    const here = only === undefined ? await statusOfAll(host) : await statusOf(host, only);
    const shown = withHub(here, await signInsOfHub(context));
    context.answer({
      json: { servers: shown },
      text: shown.length === 0 ? 'no MCP servers configured' : statusTable(shown),
    });
    return only !== undefined && shown.every(needsLogin) ? 3 : 0;
  },
});

function withHub(here: readonly Status[], there: readonly Stored[]): readonly Status[] {
  return here.flatMap(row => {
    const held = isNothingStored(row) ? there.filter(({ server }) => server === row.server) : [];
    return held.length > 0 ? held : [row];
  });
}

async function statusOf(host: Host, server: string): Promise<readonly Status[]> {
  host.links.expect(server);
  const own = async (): Promise<readonly Status[]> => (await authStatus(host)).filter(row => row.server === server);
  const stored = await own();
  if (!stored.every(isNothingStored)) return stored;
  await host.links.ready(server).catch(error => {
    if (!isJunctorError(error, 'auth_required')) throw error;
  });
  return own();
}

/** One that cannot be reached must not hold up what is known of the others. */
const ASKING_MS = 5000;

async function statusOfAll(host: Host): Promise<readonly Status[]> {
  const found = new Map<string, State>();
  const asked = (await authStatus(host)).filter(row => isNothingStored(row) && isRemote(host, row.server));
  const signal = AbortSignal.timeout(ASKING_MS);
  await Promise.all(
    asked.map(({ server }) =>
      orAborted(host.links.ready(server), signal).catch(error => {
        if (!isJunctorError(error, 'auth_required'))
          found.set(server, wantsCredentials(error) ? 'credentials_required' : 'unknown');
      }),
    ),
  );
  return (await authStatus(host)).map(row => ({ ...row, state: found.get(row.server) ?? row.state }));
}

function wantsCredentials(error: unknown): boolean {
  return (
    isJunctorError(error, 'connection_failed') && (error.cause as { status?: unknown } | undefined)?.status === 401
  );
}

/** A server that needs no sign-in has no token either: only it can tell. */
function isNothingStored({ state }: Status): boolean {
  return state === 'signed_out';
}

/** Nobody wants a program started to see a table. */
function isRemote(host: Host, server: string): boolean {
  const { endpoint } = host.links.expect(server);
  return endpoint.transport !== 'stdio' && endpoint.program === undefined;
}

function needsLogin({ state, refreshable }: Status): boolean {
  return state === 'signed_out' || (state === 'expired' && !refreshable);
}

const WORDS: Readonly<Record<Status['state'], string>> = {
  signed_in: 'signed in',
  expired: 'expired',
  signed_out: 'not signed in',
  not_needed: 'no sign-in needed',
  header: 'sends a header',
  elsewhere: 'an auth provider',
  credentials_required: 'wants a header: it names no way to sign in',
  unknown: 'not known: it could not be asked',
};

function statusTable(rows: readonly Status[]): string {
  return table(
    ['SERVER', 'ACCOUNT', 'STATE', 'UNTIL', 'SCOPE', 'ISSUER'],
    rows.map(row => [row.server, row.account ?? '', stateOf(row), untilOf(row), row.scope ?? '', row.issuer ?? '']),
  );
}

function stateOf({ state, refreshable }: Status): string {
  return state === 'expired' && refreshable ? 'expired, renews itself' : WORDS[state];
}

function untilOf({ expires_at }: Status): string {
  return expires_at === undefined ? '' : new Date(expires_at).toISOString();
}
