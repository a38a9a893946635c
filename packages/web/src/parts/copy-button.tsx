import { useState } from 'react';
import { Button } from './button.tsx';

/** Puts a text where it can be pasted, and says so. `what` names it for whoever cannot see it. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setDone(true);
  };
  return (
    <Button aria-label={`Copy ${what}`} onClick={() => void copy()} onBlur={() => setDone(false)}>
      <span role="status">{done ? 'Copied' : 'Copy'}</span>
    </Button>
  );
}
