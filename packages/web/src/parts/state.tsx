/** The state of a server: a word and a sign, and a colour besides. */
const SHOWN: Readonly<Record<string, { sign: string; word: string; colour: string }>> = {
  ready: { sign: '●', word: 'Ready', colour: 'text-good' },
  idle: { sign: '○', word: 'Not started', colour: 'text-quiet' },
  connecting: { sign: '◌', word: 'Connecting', colour: 'text-wait' },
  auth_required: { sign: '!', word: 'Needs a login', colour: 'text-wait' },
  untrusted: { sign: '?', word: 'Waits for approval', colour: 'text-wait' },
  error: { sign: '✕', word: 'Failed', colour: 'text-bad' },
  disabled: { sign: '–', word: 'Off', colour: 'text-quiet' },
};

export function State({ state }: { state: string }) {
  const { sign, word, colour } = SHOWN[state] ?? { sign: '?', word: state, colour: 'text-quiet' };
  return (
    <span className={`whitespace-nowrap ${colour}`}>
      <span aria-hidden="true">{sign}</span> {word}
    </span>
  );
}
