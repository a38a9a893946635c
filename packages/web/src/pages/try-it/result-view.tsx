/** What a tool answered: its texts, its pictures, and everything else as JSON. */
import { Foreign } from '../../parts/foreign.tsx';
import { Json } from '../../parts/json.tsx';

export interface ShownResult {
  readonly success: boolean;
  readonly denied: boolean;
  readonly parts: readonly Part[];
  readonly data?: unknown;
}

interface Part {
  readonly type: string;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly mimeType?: unknown;
}

/** Pictures that can hold no script. */
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

export function ResultView({ result: { success, denied, parts, data } }: { result: ShownResult }) {
  return (
    <section aria-label="Result" className="mt-3 rounded-lg border border-line bg-card p-3">
      <p className={`mb-2 font-medium ${success ? 'text-good' : 'text-bad'}`}>
        {denied ? '✕ Denied: it was not run' : success ? '● Done' : '✕ The tool says that it failed'}
      </p>
      {parts.map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no names, and never move
        <Block key={place} part={part} />
      ))}
      {data !== undefined && <Json value={data} className="mb-2 max-h-96" />}
    </section>
  );
}

function Block({ part }: { part: Part }) {
  const { type, text, data, mimeType } = part;
  if (type === 'text' && typeof text === 'string')
    return (
      <pre className="mb-2 max-h-96 overflow-auto whitespace-pre-wrap text-sm">
        <Foreign text={text} />
      </pre>
    );
  if (type === 'image' && typeof data === 'string' && PICTURES.has(String(mimeType)))
    return (
      <img
        className="mb-2 min-h-4 min-w-4 max-w-full"
        alt="What the tool answered"
        src={`data:${mimeType};base64,${data}`}
      />
    );
  return <Json value={part} className="mb-2 max-h-96" />;
}
