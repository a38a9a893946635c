/** The servers that agents on the machine of the hub have already: each once, however many of them have it. */
import { useQuery } from '@tanstack/react-query';
import { Failure, Notice } from '../../../parts/notice.tsx';
import { PageLink } from '../../../parts/page-link.tsx';
import { ADD } from '../../../parts/route.ts';
import { Offered } from './offered.tsx';
import { askPreview } from './preview.ts';

export function Find() {
  const { data, error } = useQuery({
    queryKey: ['import-preview'],
    queryFn: ({ signal }) => askPreview({}, signal),
    gcTime: 0,
  });
  if (error) return <Failure error={error} />;
  if (!data) return <p className="text-quiet">Reading the files of agents …</p>;
  return (
    <>
      <p className="mb-3 text-sm text-quiet">
        From your own files of Claude, Codex, Cursor and all others that are known here. It is a copy: those files stay
        as they are.
      </p>
      {data.servers.length === 0 && (
        <Notice
          title="No agent on the machine of the hub has a server."
          next={<PageLink to={['servers', ADD, 'paste']}>Paste one instead</PageLink>}
        />
      )}
      <Offered preview={data} />
    </>
  );
}
