/** Commands that connect this agent to the hub, ready to be copied. */
import { Button } from '../../parts/button.tsx';

export function ConnectLines({ agent }: { agent: string }) {
  const lines = [
    { does: 'Write the hub into its config file', line: `junctor mcp export ${agent} --via hub --write` },
    { does: 'Make the token it connects with', line: `junctor hub token --agent ${agent}` },
    { does: 'Or start it with everything for one run', line: `junctor run ${agent}` },
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
          <Button aria-label={`Copy: ${line}`} onClick={() => void navigator.clipboard.writeText(line)}>
            Copy
          </Button>
        </li>
      ))}
    </ul>
  );
}
