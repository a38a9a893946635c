/** Secrets by name. What is set here is never shown again, to nobody. */
import type { Secret } from '@junctor/hub/answers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { change } from '../../api/client.ts';
import { useSecrets } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Failure, Loading, Notice } from '../../parts/notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';

const KEYS = {
  keyring: "a key in the keyring of the hub's machine",
  passphrase: 'the passphrase in JUNCTOR_SECRET_KEY',
  key_file: 'a key file beside your config',
} as const;

export function Secrets() {
  const { data, error } = useSecrets();
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  return (
    <>
      <Section title="Set a secret">
        <p className="mb-2 text-sm text-quiet">
          It goes to an encrypted file, sealed with {KEYS[data.key]}. A definition then names it:{' '}
          <code>{'Bearer ${secret:NAME}'}</code>
        </p>
        <SetSecret />
      </Section>
      <Section title="Secrets">
        {data.secrets.length === 0 ? (
          <Notice
            title="No secret is stored."
            why="Keys and passwords belong here, not into a config file: whoever reads the file sees only the name."
            next="Set the first one above."
          />
        ) : (
          <Table
            label="Secrets"
            rows={data.secrets}
            keyOf={({ name }) => name}
            columns={[
              { title: 'Name', cell: ({ name }) => name },
              { title: 'Sealed with', cell: ({ key }) => (key === null ? 'the keyring itself' : KEYS[key]) },
              { title: 'Named by', cell: ({ servers }) => <Users servers={servers} /> },
              { title: 'Delete', cell: secret => <Delete secret={secret} /> },
            ]}
          />
        )}
      </Section>
    </>
  );
}

function SetSecret() {
  const queries = useQueryClient();
  const set = useMutation({
    mutationFn: ({ name, value }: { name: string; value: string }) =>
      change(`/api/secrets/${encodeURIComponent(name)}`, { method: 'PUT', body: { value } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['secrets'] }),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const words = new FormData(form);
    const [name, value] = [String(words.get('name')).trim(), String(words.get('value'))];
    set.mutate({ name, value }, { onSuccess: () => form.reset() });
  };
  return (
    <form className="rounded-lg border border-line bg-card p-4" onSubmit={submit}>
      <div className="flex flex-wrap items-end gap-3">
        <Field name="name" label="Name" type="text" />
        <Field name="value" label="Value" type="password" />
        <Button type="submit" className="font-medium" disabled={set.isPending}>
          Set
        </Button>
        <span role="status" className="text-sm text-quiet">
          {set.isSuccess ? `'${set.variables.name}' is set.` : ''}
        </span>
      </div>
      {set.error && <Failure error={set.error} />}
    </form>
  );
}

function Field({ name, label, type }: { name: string; label: string; type: 'text' | 'password' }) {
  return (
    <label className="flex min-w-0 flex-col gap-1">
      {label}
      <input
        required
        name={name}
        type={type}
        autoComplete={type === 'password' ? 'new-password' : 'off'}
        spellCheck={false}
        className="rounded border border-line bg-page p-2"
      />
    </label>
  );
}

function Users({ servers }: Pick<Secret, 'servers'>) {
  if (servers.length === 0) return 'nothing';
  return servers.map(id => (
    <span key={id} className="mr-2">
      <PageLink to={['servers', id]}>{id}</PageLink>
    </span>
  ));
}

function Delete({ secret: { name, servers } }: { secret: Secret }) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => change(`/api/secrets/${encodeURIComponent(name)}`, { method: 'DELETE' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['secrets'] }),
  });
  const sure = (): void => {
    const harm = servers.length === 0 ? 'No server names it.' : `Without it these cannot start: ${servers.join(', ')}.`;
    if (window.confirm(`Delete '${name}'? Its value cannot be brought back. ${harm}`)) remove.mutate();
  };
  return (
    <>
      <Button aria-label={`Delete ${name}`} disabled={remove.isPending} onClick={sure}>
        Delete
      </Button>
      {remove.error && <Failure error={remove.error} />}
    </>
  );
}
