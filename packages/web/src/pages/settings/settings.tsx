/** The hub itself: how it is, where its config comes from, its limits, and who may come in. */
import type { ComponentType } from 'react';
import { Notice } from '../../parts/notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { addressOf } from '../../parts/route.ts';
import type { PageProps } from '../../shell/pages.tsx';
import { ConfigLayers } from './config-layers.tsx';
import { HubHealth } from './hub-health.tsx';
import { Limits } from './limits.tsx';
import { Secrets } from './secrets.tsx';
import { Tokens } from './tokens.tsx';

const PARTS: readonly { readonly id: string; readonly title: string; readonly show: ComponentType }[] = [
  { id: 'hub', title: 'Hub', show: HubHealth },
  { id: 'files', title: 'Config files', show: ConfigLayers },
  { id: 'limits', title: 'Limits', show: Limits },
  { id: 'tokens', title: 'Tokens', show: Tokens },
  { id: 'secrets', title: 'Secrets', show: Secrets },
];

export default function Settings({ rest: [chosen = 'hub'] }: PageProps) {
  const part = PARTS.find(({ id }) => id === chosen);
  return (
    <>
      <h1 className="mb-4 text-2xl font-semibold">Settings</h1>
      <nav aria-label="Settings" className="mb-6 flex flex-wrap gap-1 border-b border-line">
        {PARTS.map(({ id, title }) => (
          <a
            key={id}
            href={addressOf('settings', id)}
            aria-current={id === chosen ? 'page' : undefined}
            className={`-mb-px border-b-2 px-3 py-2 ${id === chosen ? 'border-accent font-medium' : 'border-transparent hover:bg-accent/10'}`}
          >
            {title}
          </a>
        ))}
      </nav>
      {part ? (
        <part.show />
      ) : (
        <Notice
          title={`There are no settings '${chosen}'.`}
          next={<PageLink to={['settings']}>All settings</PageLink>}
        />
      )}
    </>
  );
}
