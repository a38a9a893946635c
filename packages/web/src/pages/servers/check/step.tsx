/** One step of a check: how it went, what was seen, and what to do about it. */
import type { CheckStep } from '@junctor/hub/answers';
import { Foreign } from '../../../parts/foreign.tsx';

const TITLES: Readonly<Record<string, string>> = {
  config: 'Definition',
  program: 'Program',
  address: 'Address',
  spawned: 'Started',
  greeted: 'Greeted',
  eras: 'Protocol',
  auth: 'Sign-in',
  tools: 'Tools',
  schemas: 'Schemas',
  ended: 'Ended again',
};

const OUTCOMES = {
  ok: { sign: '●', word: 'ok', colour: 'text-good' },
  warn: { sign: '▲', word: 'look', colour: 'text-wait' },
  no: { sign: '✕', word: 'broken', colour: 'text-bad' },
} as const;

export function Step({ step: { step, outcome, detail, lines = [], ms, fix } }: { step: CheckStep }) {
  const { sign, word, colour } = OUTCOMES[outcome];
  return (
    <li className="border-b border-line p-3 last:border-0">
      <div className="flex flex-wrap gap-x-3">
        <span className={`w-20 shrink-0 ${colour}`}>
          <span aria-hidden="true">{sign}</span> {word}
        </span>
        <span className="w-28 shrink-0 font-medium">{TITLES[step] ?? step}</span>
        <span className="min-w-0 flex-1 basis-60">
          <Foreign text={detail} most={2000} />
          {ms !== undefined && <span className="text-quiet"> ({ms} ms)</span>}
        </span>
      </div>
      {lines.length > 0 && (
        <pre className="mt-2 overflow-x-auto whitespace-pre-wrap rounded border border-line bg-page p-2 text-sm">
          <Foreign text={lines.join('\n')} />
        </pre>
      )}
      {fix !== undefined && (
        <p className="mt-2">
          <span className="font-medium">To do: </span>
          <Foreign text={fix} most={2000} />
        </p>
      )}
    </li>
  );
}
