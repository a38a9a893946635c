import { Suspense } from 'react';
import { HubError } from './api/client.ts';
import { useLive } from './api/live.ts';
import { useServers } from './api/queries.ts';
import { Loading, Notice } from './parts/notice.tsx';
import { usePlace } from './parts/route.ts';
import { PAGES } from './shell/pages.tsx';
import { Shell } from './shell/shell.tsx';

export function App() {
  const { error } = useServers();
  if (error instanceof HubError && error.isLoggedOut) return <LoggedOut hint={error.hint} />;
  return <House />;
}

function House() {
  const connection = useLive();
  const { page, rest } = usePlace();
  const found = PAGES.find(({ id }) => id === page);
  return (
    <Shell page={page} connection={connection}>
      {found ? (
        <Suspense fallback={<Loading />}>
          <found.show key={page} rest={rest} />
        </Suspense>
      ) : (
        <Notice title={`There is no page '${page}'.`} next={<a href="#/">Go to the overview</a>} />
      )}
    </Shell>
  );
}

function LoggedOut({ hint }: { hint: string | undefined }) {
  return (
    <main className="mx-auto max-w-xl p-8">
      <h1 className="mb-4 text-2xl font-semibold">Junctor</h1>
      <Notice title="This browser is not logged in." next={hint} />
    </main>
  );
}
