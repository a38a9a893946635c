/** Who may come in: the tokens of people and agents. */
import type { Token } from '@junctor/hub/answers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { change } from '../../api/client.ts';
import { useTokens } from '../../api/queries.ts';
import { Ago } from '../../parts/ago.tsx';
import { Button } from '../../parts/button.tsx';
import { Foreign, withoutControls } from '../../parts/foreign.tsx';
import { Failure, Loading, Notice } from '../../parts/notice.tsx';
import { Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import { NewToken } from './new-token.tsx';

export function Tokens() {
  const { data, error } = useTokens();
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  return (
    <>
      <Section title="New token">
        <NewToken />
      </Section>
      <Section title="Tokens">
        {data.tokens.length === 0 ? (
          <Notice
            title="No token was made yet."
            why="An agent that is connected to the hub sends one with every request."
            next="Make one for each agent: then one can be revoked without disturbing the others."
          />
        ) : (
          <TokenTable tokens={data.tokens} />
        )}
      </Section>
    </>
  );
}

function TokenTable({ tokens }: { tokens: readonly Token[] }) {
  return (
    <Table
      label="Tokens"
      rows={tokens}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Name', cell: ({ name, id }) => <Foreign text={name ?? `${id}…`} /> },
        { title: 'Opens', cell: token => <Foreign text={scopeOf(token)} /> },
        { title: 'Made', cell: ({ created }) => <Ago at={created} /> },
        {
          title: 'Ends',
          cell: ({ expires }) => (expires === null ? 'when revoked' : new Date(expires).toLocaleString()),
        },
        { title: 'Last used', cell: ({ last_used }) => (last_used === null ? 'never' : <Ago at={last_used} />) },
        { title: 'Made by', cell: ({ made_by, made_by_name }) => <Foreign text={made_by_name ?? made_by ?? '-'} /> },
        { title: 'Revoke', cell: token => <Revoke token={token} /> },
      ]}
    />
  );
}

function scopeOf({ kind, agent, session }: Token): string {
  if (kind === 'metrics') return '/metrics only (a monitor)';
  if (agent === null) return 'everything (a person)';
  return `the doors of ${agent}${session === null ? '' : `, session ${session}`}`;
}

function Revoke({ token: { id, name } }: { token: Token }) {
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => change(`/api/tokens/${id}`, { method: 'DELETE' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['tokens'] }),
  });
  const sure = (): void => {
    if (window.confirm(`Revoke '${withoutControls(name ?? id)}'? Whoever uses it is turned away from now on.`))
      revoke.mutate();
  };
  return (
    <>
      <Button aria-label={`Revoke ${name ?? id}`} disabled={revoke.isPending} onClick={sure}>
        Revoke
      </Button>
      {revoke.error && <Failure error={revoke.error} />}
    </>
  );
}
