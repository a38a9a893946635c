/** The policy of one executor. Each switch counts at once; what is stored stands in the place of what files say. */
import type { Executor } from '@junctor/hub/answers';
import { Button } from '../../parts/button.tsx';
import { Failure, Notice } from '../../parts/notice.tsx';
import { EnvInjection } from './env-injection.tsx';
import { UrlRewrites } from './url-rewrites.tsx';
import { usePolicy } from './use-policy.ts';

const SWITCHES = {
  allow_stdio: 'stdio servers',
  allow_http: 'http servers',
  allow_streamable_http: 'streamable_http servers',
  allow_sse: 'sse servers',
  allow_ws: 'ws servers',
  stdio_proxy: 'stdio servers shared through the hub',
} as const;
const NO_PLACE = 'Programs do not start here: no settings of this executor say where.';
type SwitchName = keyof typeof SWITCHES;

export function PolicyCard({ executor: row }: { executor: Executor }) {
  const { executor, policy, runs, stored } = row;
  const change = usePolicy(row);
  return (
    <section aria-label={executor} className="rounded-lg border border-line bg-card p-4">
      <h2 className="mb-1 text-lg font-semibold">{executor}</h2>
      <p className="mb-3 text-sm text-quiet">
        {stored ? 'Set here; the config files do not count for it.' : 'From the config files, or as it is built in.'}
      </p>
      <p className="mb-3 text-sm">{runs === null ? NO_PLACE : `Programs are ${runs}.`}</p>
      <Conflict executor={executor} change={change} />
      <ul className="mb-4 flex flex-col gap-2">
        {(Object.keys(SWITCHES) as SwitchName[]).map(name => (
          <li key={name} className="flex items-center justify-between gap-3">
            <span>{SWITCHES[name]}</span>
            <Button
              role="switch"
              aria-checked={policy[name]}
              aria-label={`${executor}: ${SWITCHES[name]}`}
              disabled={change.isPending}
              onClick={() => change.make({ kind: 'set', patch: { [name]: !policy[name] } })}
            >
              {policy[name] ? 'Allowed' : 'Not allowed'}
            </Button>
          </li>
        ))}
      </ul>
      <UrlRewrites
        executor={executor}
        rewrites={policy.http_url_rewrite}
        onSave={rewrites => change.make({ kind: 'set', patch: { http_url_rewrite: rewrites } })}
      />
      <EnvInjection executor={executor} policy={policy} onSave={patch => change.make({ kind: 'set', patch })} />
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {stored && (
          <Button disabled={change.isPending} onClick={() => change.make({ kind: 'forget' })}>
            Forget what was set for {executor}
          </Button>
        )}
        {change.undo && <Button onClick={change.undo}>Undo the last change of {executor}</Button>}
        <span role="status" className="text-sm text-quiet">
          {change.undo ? 'Changed, and in force' : ''}
        </span>
      </div>
      {change.error && <Failure error={change.error} />}
    </section>
  );
}

function Conflict({ executor, change }: { executor: string; change: ReturnType<typeof usePolicy> }) {
  if (!change.theirs) return null;
  return (
    <div role="alert" className="mb-3">
      <Notice
        title={`Somebody else changed ${executor} since you looked; your change was not made.`}
        why={change.theirs.join('; ')}
        next={
          <span className="flex flex-wrap gap-2">
            <Button onClick={change.repeat}>Make mine as well</Button>
            <Button onClick={change.giveUp}>Leave theirs</Button>
          </span>
        }
      />
    </div>
  );
}
