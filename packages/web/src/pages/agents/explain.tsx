/** Why this agent has a server or a tool, or has not; with the place that says so, and what to do about it. */
import type { ServerExplanation, ToolExplanation } from '@junctor/hub/answers';
import { type FormEvent, useState } from 'react';
import { useExplanation } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Failure } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { type Origin, placeText } from './place-text.ts';

interface ExplainProps {
  readonly agent: string;
  readonly executor: string;
  readonly servers: readonly string[];
}

export function Explain({ agent, executor, servers }: ExplainProps) {
  const [asked, setAsked] = useState<{ server: string; tool: string }>();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const words = new FormData(event.currentTarget);
    setAsked({ server: String(words.get('server')), tool: String(words.get('tool')).trim() });
  };
  return (
    <>
      <form className="mb-3 flex flex-wrap items-end gap-2" onSubmit={submit}>
        <label className="flex flex-col gap-1 text-sm">
          Server
          <select name="server" className="rounded border border-line bg-card p-2">
            {servers.map(id => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
        <label className="flex min-w-0 flex-col gap-1 text-sm">
          Tool, or nothing for the server itself
          <input
            name="tool"
            autoComplete="off"
            spellCheck={false}
            className="min-w-0 rounded border border-line bg-card p-2"
          />
        </label>
        <Button type="submit" disabled={servers.length === 0}>
          Explain
        </Button>
      </form>
      {asked && <Answer agent={agent} executor={executor} {...asked} />}
    </>
  );
}

function Answer(asked: { agent: string; executor: string; server: string; tool: string }) {
  const { data, error } = useExplanation(asked);
  if (error) return <Failure error={error} />;
  if (!data) return <p className="text-quiet">Asking …</p>;
  return 'offer' in data ? <OfTool explained={data} /> : <OfServer explained={data} />;
}

function OfTool({ explained: { server, tool, name, offer, call } }: { explained: ToolExplanation }) {
  const facts: [string, string][] = [
    ['Tool', `${server}/${tool}`],
    [offer.state, `${offer.because}${name === null ? '' : `; its name here is ${name}`}`],
    ...placed('Said by', offer.at),
    ...(offer.hint === '' ? [] : [['What to do', offer.hint] as [string, string]]),
  ];
  const calls: [string, string][] = call
    ? [
        [`Calls: ${call.effect}`, call.because],
        ...placed('Said by the rule at', call.at),
        ...call.unless.map(({ effect, rule }): [string, string] => [`But ${effect}`, `where ${rule} fits`]),
      ]
    : [];
  return (
    <section aria-label="Explanation">
      <Facts facts={[...facts, ...calls]} />
    </section>
  );
}

function placed(name: string, at: Origin | null): [string, string][] {
  return at ? [[name, placeText(at)]] : [];
}

function OfServer({ explained }: { explained: ServerExplanation }) {
  return (
    <>
      <p className="mb-2 text-sm text-quiet">
        Defined in the layer {explained.layer}
        {explained.hides.length > 0 ? `, which hides ${explained.hides.map(({ layer }) => layer).join(', ')}` : ''}.
      </p>
      <Table
        label="Explanation"
        rows={explained.fields}
        keyOf={({ key }) => key}
        columns={[
          { title: 'Field', cell: ({ key }) => <span className="whitespace-nowrap">{key}</span> },
          { title: 'Value', cell: ({ value }) => (typeof value === 'string' ? value : JSON.stringify(value)) },
          { title: 'Set by', cell: ({ layer, source, place }) => placeText({ layer, source: source ?? '', place }) },
        ]}
      />
    </>
  );
}
