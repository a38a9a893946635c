/** What connects this agent to the hub, ready to be copied. */
import { useCommandLine } from '../../api/commands.ts';
import { hubAddress } from '../../api/hub-address.ts';
import { useAgentFile } from '../../api/queries.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Loading } from '../../parts/notice.tsx';

export function ConnectLines({ agent }: { agent: string }) {
  const { file, connect } = useAgentFile(agent).data?.body ?? {};
  const isKnown = file !== null;
  const command = useCommandLine();
  if (!command) return <Loading />;
  const lines = [
    ...(isKnown
      ? [
          { does: 'Write the hub into its config file', line: command(`mcp export ${agent} --via hub --write`) },
          { does: 'Or start it with everything for one run', line: command(`run ${agent}`) },
        ]
      : []),
    { does: 'Make the token it connects with', line: command(`hub token --agent ${agent}`) },
    { does: 'Its address, with that token as a bearer token', line: hubAddress(`/mcp/${agent}`) },
    ...(connect
      ? [{ does: 'Or, for a client that starts programs, without a token', line: connect.map(asWord).join(' ') }]
      : []),
  ];
  return (
    <ul className="rounded-lg border border-line bg-card">
      {lines.map(({ does, line }) => (
        <li
          key={line}
          className="flex flex-wrap items-center justify-between gap-2 border-b border-line p-3 last:border-0"
        >
          <span className="min-w-0">
            <span className="block text-sm text-quiet">{does}</span>
            <code className="foreign">{line}</code>
          </span>
          <CopyButton text={line} what={line} />
        </li>
      ))}
    </ul>
  );
}

/** As a shell reads it back. */
function asWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
