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
  return text.replace(TERMINAL, '').replace(UNSEEN, '');
}

const TERMINAL = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)/g;

/** What is never seen, or turns the writing around. */
export const UNSEEN: RegExp =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
