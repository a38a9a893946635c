/** The list as forms: what most people change. Everything else of a server is kept, and can be changed as JSON. */
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { type NewServer, ServerForm } from '../../parts/server-form.tsx';
import { ServerMeta } from '../../parts/server-meta.tsx';
import { type EditedServer, type ServerList, withServer } from './draft.ts';

const MODES = {
  auto: 'auto: programs per session, addresses shared',
  shared: 'shared: one for all sessions',
  per_session: 'per_session: one for each session',
} as const;

interface ServerCardsProps {
  readonly list: ServerList;
  readonly onChange: (list: ServerList) => void;
}

export function ServerCards({ list, onChange }: ServerCardsProps) {
  const entries = Object.entries(list.servers);
  const [isAdding, setAdding] = useState(false);
  const add = ({ id, definition: { transport, ...rest } }: NewServer): void => {
    onChange(withServer(list, id, { type: transport, ...rest }));
    setAdding(false);
  };
  return (
    <>
      {entries.length === 0 && <Notice title="This agent gets no servers." next="Add the first one below." />}
      <ul className="grid gap-3 md:grid-cols-2">
        {entries.map(([id, server]) => (
          <li key={id} className="min-w-0">
            <ServerCard
              id={id}
              server={server}
              meta={list.meta?.[id]}
              onChange={changed => onChange(withServer(list, id, changed))}
            />
          </li>
        ))}
      </ul>
      <Button className="mt-3" onClick={() => setAdding(true)}>
        Add a server for this agent
      </Button>
      <Dialog label="Add a server for this agent" isOpen={isAdding} onClose={() => setAdding(false)}>
        <h2 className="mb-3 text-lg font-semibold">Add a server for this agent</h2>
        <ServerForm onSubmit={add} onCancel={() => setAdding(false)} />
      </Dialog>
    </>
  );
}

interface ServerCardProps {
  readonly id: string;
  readonly server: EditedServer;
  readonly meta: unknown;
  readonly onChange: (server: EditedServer | undefined) => void;
}

function ServerCard({ id, server, meta, onChange }: ServerCardProps) {
  const set = (key: string, value: unknown): void => onChange({ ...server, [key]: value });
  const isProgram = server.type === 'stdio';
  return (
    <fieldset className="flex flex-col gap-2 rounded-lg border border-line bg-card p-3">
      <legend className="foreign px-1 font-medium">
        {id} <span className="font-normal text-quiet">{String(server.type)}</span>
      </legend>
      <ServerMeta meta={meta} />
      {isProgram && (
        <TextField label={`Command of ${id}`} value={server.command} onWrite={text => set('command', text)} />
      )}
      {isProgram && <Arguments id={id} args={server.args} onWrite={args => set('args', args)} />}
      {!isProgram && <TextField label={`URL of ${id}`} value={server.url} onWrite={text => set('url', text)} />}
      <label className="flex flex-col gap-1 text-sm">
        Mode of {id}
        <select
          className="w-full rounded border border-line bg-page p-2"
          value={String(server.mode ?? 'auto')}
          onChange={event => set('mode', event.target.value)}
        >
          {Object.entries(MODES).map(([mode, label]) => (
            <option key={mode} value={mode}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <Button className="self-start" onClick={() => onChange(undefined)}>
        Remove {id}
      </Button>
    </fieldset>
  );
}

function TextField({ label, value, onWrite }: { label: string; value: unknown; onWrite: (text: string) => void }) {
  return (
    <label className="flex flex-col gap-1 text-sm">
      {label}
      <input
        className="w-full rounded border border-line bg-page p-2"
        autoComplete="off"
        spellCheck={false}
        value={typeof value === 'string' ? value : ''}
        onChange={event => onWrite(event.target.value)}
      />
    </label>
  );
}

/** An argument may hold anything but a line break here; with one it is left to the JSON view. */
function Arguments({ id, args, onWrite }: { id: string; args: unknown; onWrite: (args: string[]) => void }) {
  const lines = Array.isArray(args) ? args.map(String) : [];
  if (lines.some(line => line.includes('\n')))
    return <p className="text-sm text-quiet">Its arguments hold line breaks: change them as JSON.</p>;
  return (
    <label className="flex flex-col gap-1 text-sm">
      Arguments of {id}, one on each line
      <textarea
        className="w-full rounded border border-line bg-page p-2 font-mono"
        rows={Math.max(2, lines.length)}
        spellCheck={false}
        value={lines.join('\n')}
        onChange={event => onWrite(event.target.value === '' ? [] : event.target.value.split('\n'))}
      />
    </label>
  );
}
