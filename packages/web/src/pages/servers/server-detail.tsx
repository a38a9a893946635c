/** One server: how it is, what can be done with it at once, and its views. */
import type { Server, ServerStatus } from '@junctor/hub/answers';
import { useMutation } from '@tanstack/react-query';
import { change } from '../../api/client.ts';
import { useServers, useStatus } from '../../api/queries.ts';
import { Ago } from '../../parts/ago.tsx';
import { Button } from '../../parts/button.tsx';
import { Failure, Loading, Notice } from '../../parts/notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { addressOf } from '../../parts/route.ts';
import { State } from '../../parts/state.tsx';
import { About } from './about.tsx';
import { Check } from './check/check.tsx';
import { ServerEditor } from './edit/server-editor.tsx';
import { ServerSwitch } from './server-switch.tsx';
import { ServerViews, viewNamed } from './server-views.tsx';
import { Sharing } from './sharing.tsx';
import { SignIn } from './sign-in.tsx';
import { Traffic } from './traffic/traffic.tsx';

export function ServerDetail({ id, view: word }: { id: string; view: string | undefined }) {
  const { data, error } = useServers();
  const status = useStatus().data?.servers.find(one => one.id === id);
  const server = data?.servers.find(one => one.id === id);
  const view = viewNamed(word);
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  if (!server)
    return <Notice title={`There is no server '${id}'.`} next={<a href={addressOf('servers')}>All servers</a>} />;
  return (
    <>
      <Head server={server} status={status} />
      <p className="mb-3">
        <Sharing id={id} />
      </p>
      <ServerViews id={id} view={view} />
      {status?.last_error && (
        <div className="mb-4" role="alert">
          <Notice title={status.last_error.message} why={status.last_error.why} next={status.last_error.hint} />
        </div>
      )}
      {status?.state === 'auth_required' && <SignIn id={id} />}
      {view === 'about' && <About server={server} />}
      {view === 'traffic' && <Traffic id={id} />}
      {view === 'check' && <Check id={id} />}
      {view === 'edit' && <ServerEditor id={id} />}
    </>
  );
}

function Head({ server, status }: { server: Server; status: ServerStatus | undefined }) {
  const { id, enabled } = server;
  return (
    <>
      <p className="mb-1 text-sm">
        <PageLink to={['servers']}>Servers</PageLink>
      </p>
      <div className="mb-1 flex flex-wrap items-center gap-3">
        <h1 className="text-2xl font-semibold">{id}</h1>
        <State state={status?.state ?? server.state} />
        {status?.last_connected_at && (
          <span className="text-sm text-quiet">
            connected <Ago at={status.last_connected_at} />
          </span>
        )}
        <span className="flex items-center gap-2 sm:ml-auto">
          {enabled && <Reconnect id={id} />}
          <ServerSwitch server={server} />
        </span>
      </div>
    </>
  );
}

function Reconnect({ id }: { id: string }) {
  // How it went is told by its state, like every other trouble it may have.
  const reconnect = useMutation({
    mutationFn: () => change(`/api/servers/${encodeURIComponent(id)}/reconnect`, { method: 'POST' }),
  });
  return (
    <>
      <Button disabled={reconnect.isPending} onClick={() => reconnect.mutate()}>
        Reconnect
      </Button>
      {reconnect.error && <p className="text-bad">{reconnect.error.message}</p>}
    </>
  );
}
