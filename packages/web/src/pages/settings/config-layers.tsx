/** Where the config comes from, highest first: what counts, what is wrong in it, and what waits for a yes. */
import type { ConfigLayer } from '@junctor/hub/answers';
import { useLayers } from '../../api/queries.ts';
import { Command } from '../../parts/command.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { Failure, Loading, Notice } from '../../parts/notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';

export function ConfigLayers() {
  const { data, error } = useLayers();
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  return (
    <>
      <p className="mb-3 text-quiet">
        Highest first. Where two files define the same server, the higher one counts, whole. A change is read at once.
      </p>
      <ol className="flex flex-col gap-3">
        {data.layers.map(layer => (
          <li key={layer.source}>
            <Layer layer={layer} />
          </li>
        ))}
      </ol>
      {data.unapproved.length > 0 && (
        <div className="mt-4">
          <Notice
            title="Asked for by project files, and not in force before you approve it:"
            why={data.unapproved.join('\n')}
            next={<Command words="trust list" kind="with_config" />}
          />
        </div>
      )}
    </>
  );
}

function Layer({ layer: { layer, source, exists, is_file, is_edited, dialect, ...more } }: { layer: ConfigLayer }) {
  return (
    <article aria-label={source} className="rounded-lg border border-line bg-card p-4">
      <h2 className="font-medium">
        <span className="mr-2 rounded bg-accent/15 px-2 py-0.5 text-sm">{layer ?? 'not read'}</span>
        <code className="text-sm">
          <Foreign text={source} />
        </code>
      </h2>
      <p className="mt-2 text-sm text-quiet">
        {is_file && !exists && 'It does not exist yet. '}
        {is_edited && 'Changes you make on this page are written here. '}
        {dialect !== null && dialect !== 'junctor' && `In the format of ${dialect}. `}
        {more.problems.length === 0 && exists && '✓ Nothing is wrong with it. '}
        {more.waiting.length === 0 && more.servers.length > 0 && '✓ Trusted. '}
      </p>
      {more.servers.length > 0 && (
        <p className="mt-2">
          {more.servers.length === 1 ? 'One server: ' : `${more.servers.length} servers: `}
          {more.servers.map(id => (
            <span key={id} className="mr-2">
              <PageLink to={['servers', id]}>{id}</PageLink>
            </span>
          ))}
        </p>
      )}
      {more.waiting.length > 0 && (
        <p className="mt-2 text-wait">
          ? Not trusted yet: {more.waiting.join(', ')}. Look at it, then approve it:{' '}
          <Command words={`trust add ${more.waiting.join(' ')}`} kind="with_config" />
        </p>
      )}
      {more.problems.length > 0 && <Wrong problems={more.problems} />}
    </article>
  );
}

function Wrong({ problems }: Pick<ConfigLayer, 'problems'>) {
  return (
    <ul className="mt-2 flex flex-col gap-1">
      {problems.map(({ line, path, message, fix }) => (
        <li key={`${line} ${path} ${message}`} className="text-bad">
          ✕ {line !== null && `Line ${line}, `}
          {path !== '' && (
            <code className="text-sm">
              <Foreign text={path} />
            </code>
          )}
          : <Foreign text={message} most={600} /> {fix !== null && <Foreign text={fix} most={600} />}
        </li>
      ))}
    </ul>
  );
}
