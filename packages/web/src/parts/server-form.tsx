/** What a new server needs: its id, its kind, and the few words that kind needs. */
import { type FormEvent, useState } from 'react';
import { Button } from './button.tsx';
import { Failure } from './notice.tsx';

const TRANSPORTS = {
  stdio: 'stdio: a program on this machine',
  http: 'http: Streamable HTTP',
  sse: 'sse: the older HTTP with events',
  ws: 'ws: WebSocket',
} as const;
type Transport = keyof typeof TRANSPORTS;

export interface NewServer {
  readonly id: string;
  readonly definition: { readonly transport: Transport; readonly [key: string]: unknown };
}

interface ServerFormProps {
  readonly onSubmit: (server: NewServer) => void;
  readonly onCancel: () => void;
  readonly error?: Error | null;
  readonly isPending?: boolean;
}

export function ServerForm({ onSubmit, onCancel, error, isPending }: ServerFormProps) {
  const [transport, setTransport] = useState<Transport>('stdio');
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const words = new FormData(event.currentTarget);
    const text = (name: string): string => String(words.get(name) ?? '').trim();
    const definition =
      transport === 'stdio' ? { transport, ...commandIn(text('command')) } : { transport, url: text('url') };
    onSubmit({ id: text('id'), definition });
  };
  return (
    <form className="flex flex-col gap-3" onSubmit={submit}>
      <Field name="id" label="Id" hint="Letters, digits, - and _: part of the names of its tools." />
      <label className="flex flex-col gap-1">
        Kind
        <select
          className="rounded border border-line bg-page p-2"
          value={transport}
          onChange={event => setTransport(event.target.value as Transport)}
        >
          {Object.entries(TRANSPORTS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {transport === 'stdio' ? (
        <Field name="command" label="Command" hint="Program and arguments, apart by spaces; quote what holds spaces." />
      ) : (
        <Field name="url" label="URL" hint="Where it answers." />
      )}
      {error && <Failure error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" className="font-medium" disabled={isPending}>
          Add
        </Button>
      </div>
    </form>
  );
}

function Field({ name, label, hint }: { name: string; label: string; hint: string }) {
  return (
    <label className="flex flex-col gap-1">
      {label}
      <input
        required
        name={name}
        autoComplete="off"
        spellCheck={false}
        className="rounded border border-line bg-page p-2"
      />
      <span className="text-sm text-quiet">{hint}</span>
    </label>
  );
}

/** As a shell would take it apart, without doing anything else that a shell does. */
export function commandIn(line: string): { command: string; args: string[] } {
  const words = [...line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double?.replace(/\\(.)/g, '$1') ?? single ?? plain ?? '',
  );
  const [command = '', ...args] = words;
  return { command, args };
}
