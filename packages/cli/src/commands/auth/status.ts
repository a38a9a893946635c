import { authStatus, createHost, type Host, type AuthStatus as Status } from '@junctor/core';
import { isJunctorError } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { hostOptions } from '../../context.ts';
import { table } from '../../output/table.ts';

export const authStatusCommand = defineCommand({
  details: [
    'It shows what is stored. With an ID, a server that nothing is stored for is asked whether it wants a sign-in, and the',
    'exit code is 3 where you need to log in.',
  ].join('\n'),
  async run(context, { words: [only] }) {
    await using host = await createHost({ ...hostOptions(context), attempts: 1 });
    const shown = only === undefined ? await authStatus(host) : await statusOf(host, only);
    context.answer({
      json: { servers: shown },
      text: shown.length === 0 ? 'no MCP servers configured' : statusTable(shown),
    });
    return only !== undefined && shown.every(needsLogin) ? 3 : 0;
  },
});

/** A server that needs no sign-in has no token either: only it can tell. */
async function statusOf(host: Host, server: string): Promise<readonly Status[]> {
  host.links.expect(server);
  const own = async (): Promise<readonly Status[]> => (await authStatus(host)).filter(row => row.server === server);
  const stored = await own();
  if (!stored.every(({ state }) => state === 'signed_out')) return stored;
  await host.links.ready(server).catch(error => {
    if (!isJunctorError(error, 'auth_required')) throw error;
  });
  return own();
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
