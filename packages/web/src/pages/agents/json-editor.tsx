/** The list as JSON, as it is posted to the hub. The editor is loaded when somebody first wants it. */
import { lazy, Suspense, useMemo } from 'react';
import type { Wrong } from '../../parts/json-editor/judge.ts';
import type { Told } from '../../parts/problems.tsx';

const ListCodeEditor = lazy(() => import('./list-code-editor.tsx'));

interface JsonEditorProps {
  readonly text: string;
  readonly problems: readonly Told[];
  readonly onWrite: (text: string) => void;
}

export function JsonEditor({ text, problems, onWrite }: JsonEditorProps) {
  const wrong = useMemo(() => problems.map(atItsPlace), [problems]);
  return (
    <Suspense fallback={<p className="text-quiet">Loading the editor …</p>}>
      <ListCodeEditor text={text} wrong={wrong} onWrite={onWrite} />
      <p className="mt-1 text-sm text-quiet">
        Ctrl-Space offers what may stand here; F8 goes to what is wrong, Ctrl-Shift-M lists it.
      </p>
    </Suspense>
  );
}

function atItsPlace({ kind = 'Error', path, message, fix }: Told): Wrong {
  const severity = kind === 'Error' ? 'error' : 'warning';
  return { path, message: fix === undefined ? message : `${message} ${fix}`, severity };
}
