/** The policy of one executor. Each switch counts at once; what is stored stands in the place of what files say. */
import type { Executor } from '@junctor/hub/answers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { change } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/notice.tsx';
import { UrlRewrites } from './url-rewrites.tsx';

type Policy = Executor['policy'];

const SWITCHES = {
  allow_stdio: 'stdio servers',
  allow_http: 'http servers',
  allow_streamable_http: 'streamable_http servers',
  allow_sse: 'sse servers',
  allow_ws: 'ws servers',
  stdio_proxy: 'stdio servers shared through the hub',
} as const;
type SwitchName = keyof typeof SWITCHES;

export function PolicyCard({ executor: { executor, policy, stored } }: { executor: Executor }) {
  const queries = useQueryClient();
  const path = `/api/executors/${encodeURIComponent(executor)}`;
  const store = useMutation({
    mutationFn: (meant: Policy | undefined) =>
      change(path, meant === undefined ? { method: 'DELETE' } : { method: 'PUT', body: meant }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['executors'] }),
  });
  return (
    <section aria-label={executor} className="rounded-lg border border-line bg-card p-4">
      <h2 className="mb-1 text-lg font-semibold">{executor}</h2>
      <p className="mb-3 text-sm text-quiet">
        {stored ? 'Set here; the config files do not count for it.' : 'From the config files, or as it is built in.'}
      </p>
      <ul className="mb-4 flex flex-col gap-2">
        {(Object.keys(SWITCHES) as SwitchName[]).map(name => (
          <li key={name} className="flex items-center justify-between gap-3">
            <span>{SWITCHES[name]}</span>
            <Button
              role="switch"
              aria-checked={policy[name]}
              aria-label={`${executor}: ${SWITCHES[name]}`}
              disabled={store.isPending}
              onClick={() => store.mutate({ ...policy, [name]: !policy[name] })}
            >
              {policy[name] ? 'Allowed' : 'Not allowed'}
            </Button>
          </li>
        ))}
      </ul>
      <UrlRewrites
        executor={executor}
        rewrites={policy.http_url_rewrite}
        onSave={rewrites => store.mutate({ ...policy, http_url_rewrite: rewrites })}
      />
      {stored && (
        <Button className="mt-3" disabled={store.isPending} onClick={() => store.mutate(undefined)}>
          Forget what was set for {executor}
        </Button>
      )}
      {store.error && <Failure error={store.error} />}
    </section>
  );
}
