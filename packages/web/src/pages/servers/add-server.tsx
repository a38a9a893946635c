/** A new server for every agent. Everything that the form does not ask can be written in its definition later. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { change } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { type NewServer, ServerForm } from '../../parts/server-form.tsx';
import { goTo } from '../../shell/route.ts';

export function AddServer() {
  const [isOpen, setOpen] = useState(false);
  const add = useMutation({
    mutationFn: (body: NewServer) => change('/api/servers', { method: 'POST', body }),
    onSuccess: (_written, { id }) => {
      setOpen(false);
      goTo('servers', id);
    },
  });
  const close = (): void => {
    setOpen(false);
    add.reset();
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>Add a server</Button>
      <Dialog label="Add a server" isOpen={isOpen} onClose={close}>
        <h2 className="text-lg font-semibold">Add a server</h2>
        <p className="mb-3 text-sm text-quiet">It is written into your own config file, and every agent gets it.</p>
        <ServerForm onSubmit={add.mutate} onCancel={close} error={add.error} isPending={add.isPending} />
      </Dialog>
    </>
  );
}
