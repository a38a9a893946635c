/** How the hub itself is, and what it was started with. */
import type { Health } from '@junctor/hub/answers';
import { useHealth } from '../../api/queries.ts';
import { Ago } from '../../parts/ago.tsx';
import { bytesText, spanText } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { type Fact, Facts } from '../../parts/facts.tsx';
import { Failure, Loading, Notice } from '../../parts/notice.tsx';
import { Section } from '../../parts/section.tsx';

export function HubHealth() {
  const { data, error, refetch, isFetching } = useHealth();
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  return (
    <>
      <Section
        title="Health"
        aside={
          <Button disabled={isFetching} onClick={() => void refetch()}>
            Read again
          </Button>
        }
      >
        <Facts facts={healthOf(data)} />
      </Section>
      <Orphans orphans={data.orphans} />
      <Section title="Started with">
        <p className="mb-2 text-sm text-quiet">
          These are options of the command that started the hub: start it again with another value to change one.
        </p>
        <Facts facts={optionsOf(data)} />
      </Section>
    </>
  );
}

function healthOf({ version, node, pid, started, memory, store, ...more }: Health): Fact[] {
  return [
    ['Version', `${version} on Node ${node}`],
    [
      'Started',
      <span key="started">
        <Ago at={started} /> (process {pid})
      </span>,
    ],
    ['Memory', `${bytesText(memory.resident_bytes)}, of it ${bytesText(memory.heap_bytes)} heap in use`],
    ['Servers running', String(more.instances)],
    ['Store', `${store.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'}: ${store.place}`],
    ['Data directory', more.data_directory],
    ['Address', more.public_url === null ? more.url : `${more.public_url}, here ${more.url}`],
    ['Sign-in', more.issuer ?? 'With tokens of this hub. To take those of an OpenID provider too: --issuer URL'],
  ];
}

function optionsOf({ limits }: Health): Fact[] {
  const perSecond = limits.max_rate_per_second;
  return [
    ['--keep-calls', `Calls and sessions are forgotten after ${spanText(limits.keep_calls_ms)}.`],
    ['--approval-wait', `A call that nobody allowed is denied after ${spanText(limits.approval_wait_ms)}.`],
    ['--max-instances', `A server runs at most ${limits.max_instances} times at once, once for each session.`],
    ['--instance-idle', `What runs for a session and is not used ends after ${spanText(limits.instance_idle_ms)}.`],
    ['--max-rate', perSecond === null ? 'A token may ask as often as it likes.' : `${perSecond} requests a second.`],
    ['--grace', `When the hub ends, calls that run have ${spanText(limits.grace_ms)} to finish.`],
  ];
}

function Orphans({ orphans }: Pick<Health, 'orphans'>) {
  return (
    <Section title="Orphans">
      {orphans === null && <Notice title="This system does not show whose a process is." />}
      {orphans?.length === 0 && <Notice title="None: every server that runs belongs to a Junctor that lives." />}
      {orphans !== null && orphans.length > 0 && (
        <Notice
          title={`${orphans.length} outlived the Junctor that started them.`}
          why={orphans.map(({ pid, command }) => `${pid}: ${command}`).join('\n')}
          next={
            <>
              End them: <code>kill {orphans.map(({ pid }) => pid).join(' ')}</code>
            </>
          }
        />
      )}
    </Section>
  );
}
