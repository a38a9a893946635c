/** Variables that every program gets there, and for each who wins where a server sets it too. */
import { useServers } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { useDraft } from '../../parts/use-draft.ts';
import { type Injected, injectedIn, outcomes, policyOf, wrongWith } from './injected.ts';
import type { Policy } from './use-policy.ts';

interface EnvInjectionProps {
  readonly executor: string;
  readonly policy: Policy;
  readonly onSave: (patch: Pick<Policy, 'env_injection' | 'env_server_wins'>) => void;
}

export function EnvInjection({ executor, policy, onSave }: EnvInjectionProps) {
  const draft = useDraft(`variables of executor ${executor}`, JSON.stringify(injectedIn(policy)));
  const variables = JSON.parse(draft.text) as readonly Injected[];
  const write = (changed: readonly Injected[]): void => draft.write(JSON.stringify(changed));
  const wrong = wrongWith(variables);
  const set = (index: number, patch: Partial<Injected> | undefined): void =>
    write(variables.flatMap((one, at) => (at === index ? (patch ? [{ ...one, ...patch }] : []) : [one])));
  const save = (): void => {
    onSave(policyOf(variables, policy));
    draft.drop();
  };
  return (
    <fieldset className="mt-4">
      <legend className="mb-1 text-sm">Variables that every program on {executor} gets</legend>
      <ul className="flex flex-col gap-3">
        {variables.map((variable, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a variable is renamed while it is written
          <li key={index} className="rounded border border-line p-2">
            <Variable label={`${index + 1} of ${executor}`} variable={variable} onChange={patch => set(index, patch)} />
          </li>
        ))}
      </ul>
      {wrong !== undefined && (
        <p role="alert" className="mt-2 text-sm">
          {wrong}
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button onClick={() => write([...variables, { name: '', value: '', wins: 'executor' }])}>
          Add a variable to {executor}
        </Button>
        {draft.isChanged && (
          <>
            <Button disabled={wrong !== undefined} onClick={save}>
              Save variables of {executor}
            </Button>
            <Button onClick={draft.drop}>Undo</Button>
          </>
        )}
      </div>
    </fieldset>
  );
}

interface VariableProps {
  readonly label: string;
  readonly variable: Injected;
  /** Undefined takes it out. */
  readonly onChange: (patch: Partial<Injected> | undefined) => void;
}

const FIELD = 'min-w-0 rounded border border-line bg-page p-2 font-mono text-sm';

function Variable({ label, variable, onChange }: VariableProps) {
  const { name, value, wins } = variable;
  const told = outcomes(variable, useServers().data?.servers ?? []);
  return (
    <>
      <div className="grid gap-2 sm:grid-cols-2">
        <input
          aria-label={`Name of variable ${label}`}
          placeholder="NAME"
          className={FIELD}
          spellCheck={false}
          value={name}
          onChange={event => onChange({ name: event.target.value })}
        />
        <input
          aria-label={`Value of variable ${label}`}
          placeholder="value"
          className={FIELD}
          spellCheck={false}
          value={value}
          onChange={event => onChange({ value: event.target.value })}
        />
        <select
          aria-label={`Who wins for variable ${label}`}
          className="min-w-0 rounded border border-line bg-page p-2 text-sm"
          value={wins}
          onChange={event => onChange({ wins: event.target.value as Injected['wins'] })}
        >
          <option value="executor">this value wins</option>
          <option value="server">a server's own value wins</option>
        </select>
        <Button aria-label={`Remove variable ${label}`} onClick={() => onChange(undefined)}>
          Remove
        </Button>
      </div>
      <p className="mt-1 text-sm text-quiet">
        <Foreign text={told} most={1000} />
      </p>
    </>
  );
}
