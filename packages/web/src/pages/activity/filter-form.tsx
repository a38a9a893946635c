/** What calls are narrowed down by. Each change counts at once. */
import { type ReactNode, useId } from 'react';
import { useAgents, useServers, useStatistics } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { type Filter, type Key, RANGES, RESULTS } from './filter.ts';

interface FilterFormProps {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

export function FilterForm({ filter, onChange }: FilterFormProps) {
  const agents = useAgents().data?.agents ?? [];
  const servers = useServers().data?.servers ?? [];
  const tools = (useStatistics().data?.tools ?? []).filter(({ server }) => !filter.server || server === filter.server);
  const field = (key: Key) => ({
    value: filter[key] ?? '',
    className: 'w-full rounded border border-line bg-card p-1.5',
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...filter, [key]: target.value }),
  });
  const { since, until } = filter;
  return (
    <search className="mb-4 grid grid-cols-2 gap-2 text-sm md:grid-cols-3 lg:grid-cols-6">
      <Labelled label="Agent">
        {id => (
          <select id={id} {...field('agent')}>
            <option value="">Any agent</option>
            {agents.map(({ agent_id: id }) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        )}
      </Labelled>
      <Labelled label="Server">
        {id => (
          <select id={id} {...field('server')}>
            <option value="">Any server</option>
            {servers.map(({ id }) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        )}
      </Labelled>
      <Labelled label="Tool">
        {id => (
          <>
            <input
              id={id}
              {...field('tool')}
              type="search"
              list="called-tools"
              placeholder="Any tool"
              spellCheck={false}
            />
            <datalist id="called-tools">
              {[...new Set(tools.map(({ tool }) => tool))].slice(0, 200).map(tool => (
                <option key={tool} value={tool} />
              ))}
            </datalist>
          </>
        )}
      </Labelled>
      <Labelled label="Outcome">
        {id => (
          <select id={id} {...field('result')}>
            <Options of={RESULTS} />
          </select>
        )}
      </Labelled>
      <Labelled label="When">
        {id => (
          <select
            id={id}
            {...field('hours')}
            onChange={({ target }) => onChange({ ...filter, hours: target.value, since: '', until: '' })}
          >
            <Options of={RANGES} />
          </select>
        )}
      </Labelled>
      <Labelled label="With these words">
        {id => (
          <input id={id} {...field('text')} type="search" placeholder="In arguments, reasons …" spellCheck={false} />
        )}
      </Labelled>
      {since && until && (
        <p className="col-span-full flex items-center gap-2">
          From {new Date(since).toLocaleString()} to {new Date(until).toLocaleString()}
          <Button onClick={() => onChange({ ...filter, since: '', until: '' })}>Any time</Button>
        </p>
      )}
    </search>
  );
}

function Labelled({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-quiet">
        {label}
      </label>
      {children(id)}
    </div>
  );
}

function Options({ of }: { of: Readonly<Record<string, string>> }) {
  return Object.entries(of)
    .sort(([one], [other]) => Number(one !== '') - Number(other !== ''))
    .map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ));
}
