/** What an answer for always or for the session would allow: the pattern, the calls it would cover, and what is known of the tool. */
import type { Approval, ApprovalPreview } from '@junctor/hub/answers';
import { useApprovalPreview } from '../../api/queries.ts';
import { Exact } from '../../parts/json.tsx';
import { useSettled } from '../../parts/use-settled.ts';
import { RiskHints } from './risk-hints.tsx';
import { suggestedPatterns } from './suggested-patterns.ts';
import { Words } from './words.tsx';

interface PatternProps {
  readonly approval: Approval;
  readonly when: string;
  readonly onWrite: (when: string) => void;
}

const TYPING_MS = 200;

export function Pattern({ approval, when, onWrite }: PatternProps) {
  const { data } = useApprovalPreview(approval.id, useSettled(when, TYPING_MS));
  return (
    <>
      {data && <RiskHints preview={data} />}
      <fieldset className="mb-3 rounded-lg border border-line p-3">
        <legend className="px-1 text-sm text-quiet">What “always” and “session” would allow</legend>
        <Words label="Only for such arguments" placeholder="path=/tmp/**" value={when} onChange={onWrite} />
        <div className="mt-2 flex flex-wrap gap-2 text-sm">
          {suggestedPatterns(approval.arguments).map(pattern => (
            <button
              key={pattern}
              type="button"
              className="rounded border border-line px-2 py-0.5 font-mono text-sm hover:bg-accent/10"
              onClick={() => onWrite(pattern)}
            >
              <Exact text={pattern} most={200} />
            </button>
          ))}
        </div>
        <div aria-live="polite">{data && <Covered preview={data} />}</div>
      </fieldset>
    </>
  );
}

function Covered({ preview: { pattern, problem, past } }: { preview: ApprovalPreview }) {
  return (
    <div className="mt-2 text-sm">
      <p>
        Stored:{' '}
        <code className="foreign font-mono">
          <Exact text={pattern} most={1000} />
        </code>
        , as long as the tool and its server stay as they are.
      </p>
      {problem !== null && (
        <p className="text-bad">
          ✕ <Exact text={problem} most={1000} />
        </p>
      )}
      {past.calls > 0 && (
        <p>
          Of the last {past.calls} calls of this tool it covers {past.covered}.
        </p>
      )}
      <Examples title="Would be allowed" texts={past.covered_examples} />
      <Examples title="Would be asked about again" texts={past.other_examples} />
    </div>
  );
}

function Examples({ title, texts }: { title: string; texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <details>
      <summary>{title}: examples</summary>
      <ul className="font-mono">
        {texts.map((text, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same call may have been made twice
          <li key={place}>
            <Exact text={text} most={300} />
          </li>
        ))}
      </ul>
    </details>
  );
}
