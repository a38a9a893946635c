/** The agent's own file: leads it to this hub, shows every line that would change first, and the way back. */
import type { AgentFile as FileState } from '@junctor/hub/answers';
import { useAgentFile } from '../../api/queries.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { Failure, Loading, Notice } from '../../parts/notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { FileWays } from './file-ways.tsx';

export function AgentFile({ agent }: { agent: string }) {
  const { data, error } = useAgentFile(agent);
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const { file, because } = data.body;
  if (file === null) return <Notice title={because ?? ''} next="Lead it to the hub with the lines below." />;
  return (
    <div className="rounded-lg border border-line bg-card p-3">
      <p className="mb-2 text-sm text-quiet">
        On the machine of the hub: <code className="foreign">{file}</code>
      </p>
      <Standing state={data.body} />
      <FileWays agent={agent} state={data.body} tag={data.tag} />
    </div>
  );
}

function Standing({ state: { written, drift } }: { state: FileState }) {
  if (written.length === 0) return <p>Junctor has written nothing there.</p>;
  if (drift.length === 0) return <p>✓ It is as Junctor wrote it.</p>;
  return (
    <div role="alert">
      <p className="font-medium">Somebody else changed what Junctor wrote:</p>
      <ul className="list-inside list-disc">
        {drift.map(({ id, message }) => (
          <li key={id}>
            <Foreign text={message} most={1000} />
          </li>
        ))}
      </ul>
      {drift.some(({ exposed }) => exposed) && (
        <p>
          Take back the tokens of this agent, and make a new one: <PageLink to={['settings']}>Settings</PageLink>.
        </p>
      )}
    </div>
  );
}
