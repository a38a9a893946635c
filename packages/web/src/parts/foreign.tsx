import { cleanText } from '@junctor/core/pure';

/** Words of a stranger: they stay in their place, cannot steer what stands around them, and end where nobody reads on. */
const MOST = 20_000;

export function Foreign({ text, most = MOST }: { text: string; most?: number }) {
  const rest = text.length - most;
  return (
    <span className="foreign">
      {withoutControls(text.slice(0, most))}
      {rest > 0 && <span className="text-quiet"> … and {rest} characters more</span>}
    </span>
  );
}

/** Colours of terminals, what is never seen, and what turns the direction of writing: a name must look like what it is. */
export function withoutControls(text: string): string {
  return cleanText(text.replace(TERMINAL, ''));
}

const TERMINAL = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)/g;
