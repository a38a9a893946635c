/** A new server: its kind, and the few words that kind needs. Everything else can be written in its definition later. */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { change } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/notice.tsx';
import { goTo } from '../shell/route.ts';

const TRANSPORTS = ['stdio', 'http', 'sse', 'ws'] as const;
type Transport = (typeof TRANSPORTS)[number];

export function AddServer() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Add a server</Button>
      <Dialog label="Add a server" isOpen={isOpen} onClose={() => setOpen(false)}>
        <h2 className="text-lg font-semibold">Add a server</h2>
        <p className="mb-3 text-sm text-quiet">It is written into your own config file, and every agent gets it.</p>
        <Form onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function Form({ onDone }: { onDone: () => void }) {
  const [transport, setTransport] = useState<Transport>('stdio');
  const add = useMutation({
    mutationFn: (body: { id: string; definition: object }) => change('/api/servers', { method: 'POST', body }),
    onSuccess: (_written, { id }) => {
      onDone();
      goTo('servers', id);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const words = new FormData(event.currentTarget);
    const text = (name: string): string => String(words.get(name) ?? '').trim();
    const definition =
      transport === 'stdio' ? { transport, ...commandIn(text('command')) } : { transport, url: text('url') };
    add.mutate({ id: text('id'), definition });
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
          <option value="stdio">stdio: a program on this machine</option>
          <option value="http">http: Streamable HTTP</option>
          <option value="sse">sse: the older HTTP with events</option>
          <option value="ws">ws: WebSocket</option>
        </select>
      </label>
      {transport === 'stdio' ? (
        <Field name="command" label="Command" hint="Program and arguments, apart by spaces; quote what holds spaces." />
      ) : (
        <Field name="url" label="URL" hint="Where it answers." />
      )}
      {add.error && <Failure error={add.error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" className="font-medium" disabled={add.isPending}>
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
