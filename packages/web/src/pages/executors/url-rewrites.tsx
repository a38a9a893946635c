/** Hosts that are another one there: `localhost = host.docker.internal`, one on each line; and what an address becomes. */
import { rewriteUrl } from '@junctor/core/pure';
import { useId, useState } from 'react';
import { useServers } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { useDraft } from '../../parts/use-draft.ts';

interface UrlRewritesProps {
  readonly executor: string;
  readonly rewrites: Readonly<Record<string, string>>;
  readonly onSave: (rewrites: Record<string, string>) => void;
}

export function UrlRewrites({ executor, rewrites, onSave }: UrlRewritesProps) {
  const stored = textOf(rewrites);
  const { text, write, drop } = useDraft(`hosts of executor ${executor}`, stored);
  const wrong = text.split('\n').find(line => line.trim() !== '' && !/^[^=]+=[^=]+$/.test(line));
  const save = (): void => {
    onSave(rewritesIn(text));
    drop();
  };
  return (
    <>
      <label className="flex flex-col gap-1 text-sm">
        Hosts that {executor} reaches under another name: host = other host
        <textarea
          className="w-full rounded border border-line bg-page p-2 font-mono"
          rows={Math.max(2, text.split('\n').length)}
          spellCheck={false}
          value={text}
          onChange={event => write(event.target.value)}
        />
      </label>
      {wrong !== undefined && <p role="alert">Not a pair: '{wrong}'. Write host = other host.</p>}
      <Example executor={executor} rewrites={rewritesIn(wrong === undefined ? text : '')} />
      {text !== stored && (
        <div className="mt-2 flex flex-wrap gap-2">
          <Button disabled={wrong !== undefined} onClick={save}>
            Save hosts of {executor}
          </Button>
          <Button onClick={drop}>Undo</Button>
        </div>
      )}
    </>
  );
}

/** What is written above, at work: on an address of one of the servers, or on any other. */
function Example({ executor, rewrites }: Omit<UrlRewritesProps, 'onSave'>) {
  const id = useId();
  const servers = useServers().data?.servers ?? [];
  const addresses = servers.flatMap(({ definition }) => ('url' in definition ? [definition.url] : []));
  const [typed, setTyped] = useState<string>();
  const address = typed ?? addresses[0] ?? 'http://localhost:8000/mcp';
  return (
    <div className="mt-2 text-sm">
      <label className="flex flex-col gap-1">
        For example, on {executor} the address
        <input
          list={id}
          className="w-full rounded border border-line bg-page p-2 font-mono"
          spellCheck={false}
          value={address}
          onChange={event => setTyped(event.target.value)}
        />
      </label>
      <datalist id={id}>
        {[...new Set(addresses)].slice(0, 50).map(one => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <output className="mt-1 block">
        <Foreign text={outcome(address, rewrites)} most={500} />
      </output>
    </div>
  );
}

function outcome(address: string, rewrites: Readonly<Record<string, string>>): string {
  if (!URL.canParse(address)) return 'is not one.';
  try {
    const becomes = rewriteUrl(address, rewrites);
    return becomes === address ? 'stays as it is.' : `becomes ${becomes}`;
  } catch {
    return 'would lead nowhere: what is written for its host is not a host.';
  }
}

function textOf(rewrites: Readonly<Record<string, string>>): string {
  return Object.entries(rewrites)
    .map(([from, to]) => `${from} = ${to}`)
    .join('\n');
}

function rewritesIn(text: string): Record<string, string> {
  const pairs = text.split('\n').filter(line => line.trim() !== '');
  return Object.fromEntries(pairs.map(line => line.split('=').map(word => word.trim()) as [string, string]));
}
