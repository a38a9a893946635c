/** Lines that go and come: by their sign first, and by colour besides. */
import { Foreign } from '../../parts/foreign.tsx';

const COLOURS: Readonly<Record<string, string>> = { '+': 'text-good', '-': 'text-bad' };

export function Diff({ label, text }: { label: string; text: string }) {
  // The first two name the file, which stands above.
  const lines = text.split('\n').slice(2);
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no pointer must be able to scroll it
      tabIndex={0}
      aria-label={label}
      className="max-h-96 overflow-auto rounded border border-line bg-page p-3"
    >
      <pre className="text-sm">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never change places
          <span key={index} className={`block ${COLOURS[line[0] ?? ''] ?? ''}`}>
            <Foreign text={line} most={2000} />
          </span>
        ))}
      </pre>
    </section>
  );
}
