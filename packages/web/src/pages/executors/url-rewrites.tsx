/** Hosts that are another one there: `localhost = host.docker.internal`, one on each line. */
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';

interface UrlRewritesProps {
  readonly executor: string;
  readonly rewrites: Readonly<Record<string, string>>;
  readonly onSave: (rewrites: Record<string, string>) => void;
}

export function UrlRewrites({ executor, rewrites, onSave }: UrlRewritesProps) {
  const stored = textOf(rewrites);
  const [edited, setEdited] = useState<string>();
  const text = edited ?? stored;
  const wrong = text.split('\n').find(line => line.trim() !== '' && !/^[^=]+=[^=]+$/.test(line));
  const save = (): void => {
    onSave(rewritesIn(text));
    setEdited(undefined);
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
          onChange={event => setEdited(event.target.value)}
        />
      </label>
      {wrong !== undefined && <p role="alert">Not a pair: '{wrong}'. Write host = other host.</p>}
      {text !== stored && (
        <Button className="mt-2" disabled={wrong !== undefined} onClick={save}>
          Save hosts of {executor}
        </Button>
      )}
    </>
  );
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
