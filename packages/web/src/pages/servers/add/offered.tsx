/** Servers that could be copied: which, under which id, and then all of them in one step. */
import type { Imported, ImportPreview } from '@junctor/hub/answers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { change } from '../../../api/client.ts';
import { useServers } from '../../../api/queries.ts';
import { Button } from '../../../parts/button.tsx';
import { Foreign } from '../../../parts/foreign.tsx';
import { Failure } from '../../../parts/notice.tsx';
import { PageLink } from '../../../parts/page-link.tsx';
import { Problems } from '../../../parts/problems.tsx';
import { OfferedCard } from './offered-card.tsx';
import { type Pick, whyNot } from './preview.ts';

export function Offered({ preview, text }: { preview: ImportPreview; text?: string }) {
  const { servers, skipped, problems, file } = preview;
  const queries = useQueryClient();
  const taken = new Set((useServers().data?.servers ?? []).map(({ id }) => id));
  const [picks, setPicks] = useState<Readonly<Record<string, Pick>>>({});
  const pickOf = (index: number): Pick => {
    const { id = '', present = 'no' } = servers[index] ?? {};
    return picks[index] ?? { isChosen: present === 'no', as: id, replaces: false };
  };
  const chosen = servers.map((server, index) => ({ server, pick: pickOf(index) })).filter(({ pick }) => pick.isChosen);
  const copy = useMutation({
    mutationFn: () =>
      change<Imported>('/api/imports', {
        method: 'POST',
        body: {
          ...(text === undefined ? {} : { text }),
          chosen: chosen.map(({ server, pick }) => ({ id: server.id, as: pick.as, replace: pick.replaces })),
        },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['servers'] }),
  });
  if (copy.data) return <Done done={copy.data} />;
  const isStuck = chosen.some(({ server, pick }) => whyNot(pick, server, taken) !== undefined);
  return (
    <>
      <ul className="flex flex-col gap-3">
        {servers.map((server, index) => (
          <li key={`${server.from} ${server.id}`}>
            <OfferedCard
              server={server}
              pick={pickOf(index)}
              taken={taken}
              onPick={pick => setPicks({ ...picks, [index]: pick })}
            />
          </li>
        ))}
      </ul>
      {problems.length > 0 && <Problems problems={problems.map(message => ({ kind: 'Warning', path: '', message }))} />}
      {skipped.length > 0 && (
        <details className="my-3 text-sm">
          <summary className="cursor-pointer">{skipped.length} left out</summary>
          <ul className="mt-1 list-disc pl-5">
            {skipped.map(({ id, from, because }) => (
              <li key={`${id} ${from}`}>
                <Foreign text={`'${id}' of ${from}: ${because}`} most={2000} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {servers.length > 0 && (
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <Button
            className="font-medium"
            disabled={chosen.length === 0 || isStuck || copy.isPending}
            onClick={() => copy.mutate()}
          >
            Add {chosen.length === 1 ? '1 server' : `${chosen.length} servers`}
          </Button>
          <span className="foreign text-sm text-quiet">to {file}</span>
        </div>
      )}
      {copy.error && (
        <div className="mt-3">
          <Failure error={copy.error} />
        </div>
      )}
    </>
  );
}

function Done({ done: { imported, secrets, file } }: { done: Imported }) {
  return (
    <div role="status" className="rounded-lg border border-line bg-card p-4">
      <p className="font-medium">Added, and in force:</p>
      <ul className="my-2 flex flex-wrap gap-3">
        {imported.map(id => (
          <li key={id}>
            <PageLink to={['servers', id]}>{id}</PageLink>
          </li>
        ))}
      </ul>
      <p className="foreign text-sm text-quiet">
        Written to {file}.{secrets.length > 0 && ` Its secrets lie in the secret store: ${secrets.join(', ')}.`}
      </p>
    </div>
  );
}
