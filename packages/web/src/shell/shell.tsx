/** What stands around every page: where one can go, whether the hub is there, what waits for a person. */
import type { ReactNode } from 'react';
import type { Connection } from '../api/live.ts';
import { useApprovals } from '../api/queries.ts';
import { useApprovalNews } from '../pages/approvals/approval-news.ts';
import { addressOf } from '../parts/route.ts';
import { PAGES } from './pages.tsx';
import { Palette } from './palette.tsx';
import { ProjectSelect } from './project-select.tsx';
import { useTheme } from './theme.ts';

export function Shell({ page, connection, children }: { page: string; connection: Connection; children: ReactNode }) {
  useApprovalNews();
  const [theme, toggleTheme] = useTheme();
  return (
    <div className="mx-auto flex min-h-screen max-w-7xl flex-col sm:flex-row">
      <a className="sr-only focus:not-sr-only focus:absolute focus:p-2" href="#main">
        Skip to the page
      </a>
      <header className="flex flex-wrap items-center gap-2 border-line p-3 sm:sticky sm:top-0 sm:h-screen sm:w-52 sm:shrink-0 sm:flex-col sm:flex-nowrap sm:items-stretch sm:overflow-y-auto sm:border-r">
        <span className="px-2 text-lg font-semibold">Junctor</span>
        <nav aria-label="Pages" className="flex flex-wrap gap-1 sm:flex-col">
          {PAGES.map(({ id, title }) => (
            <a
              key={id}
              href={addressOf(id)}
              aria-current={id === page ? 'page' : undefined}
              className={`flex items-center justify-between rounded px-2 py-1.5 ${id === page ? 'bg-accent/15 font-medium' : 'hover:bg-accent/10'}`}
            >
              {title}
              {id === 'approvals' && <Waiting />}
            </a>
          ))}
        </nav>
        <ProjectSelect />
        <div className="ml-auto flex items-center gap-2 text-sm text-quiet sm:ml-0 sm:mt-auto sm:flex-col sm:items-stretch">
          <span role="status" className="px-2">
            {CONNECTIONS[connection]}
          </span>
          <button type="button" className="rounded border border-line px-2 py-1" onClick={toggleTheme}>
            {theme === 'dark' ? 'Light' : 'Dark'} theme
          </button>
          <span className="hidden px-2 sm:block">Ctrl-K: go to</span>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="min-w-0 flex-1 p-4 sm:p-6">
        {children}
      </main>
      <Palette deeds={[{ label: `Use the ${theme === 'dark' ? 'light' : 'dark'} theme`, run: toggleTheme }]} />
    </div>
  );
}

const CONNECTIONS: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting …',
  live: '● Live',
  lost: '○ The hub does not answer; trying again',
};

function Waiting() {
  const count = useApprovals().data?.approvals.length ?? 0;
  if (count === 0) return null;
  return (
    <span className="ml-2 inline-block whitespace-nowrap rounded-full bg-accent px-2 text-sm text-page">
      {count} waiting
    </span>
  );
}
