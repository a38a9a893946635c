/** Fields of forms: each with its label, and what it is for. */
import { type ReactNode, useId, useState } from 'react';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
}

const BOX = 'w-full rounded border border-line bg-page p-2';

export function TextField({
  label,
  hint,
  value,
  onWrite,
}: FieldProps & { value: string; onWrite: (text: string) => void }) {
  const id = useId();
  return (
    <Labelled id={id} label={label} hint={hint}>
      <input
        id={id}
        aria-describedby={`${id}-hint`}
        className={BOX}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={event => onWrite(event.target.value)}
      />
    </Labelled>
  );
}

interface SelectFieldProps extends FieldProps {
  readonly value: string;
  readonly options: Readonly<Record<string, string>>;
  readonly onWrite: (value: string) => void;
}

export function SelectField({ label, hint, value, options, onWrite }: SelectFieldProps) {
  const id = useId();
  return (
    <Labelled id={id} label={label} hint={hint}>
      <select
        id={id}
        aria-describedby={`${id}-hint`}
        className={BOX}
        value={value}
        onChange={event => onWrite(event.target.value)}
      >
        {Object.entries(options).map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** How a value is written, one thing on each line. */
export interface Notation<Value> {
  toText(value: Value): string;
  /** Lines that mean nothing yet are left out. */
  fromText(text: string): Value;
  /** What is wrong with a text that somebody still writes. */
  complaint?(text: string): string | undefined;
}

interface LinesFieldProps<Value> extends FieldProps {
  readonly value: Value;
  readonly notation: Notation<Value>;
  readonly onWrite: (value: Value) => void;
}

export function LinesField<Value>({ label, hint, value, notation, onWrite }: LinesFieldProps<Value>) {
  const id = useId();
  const [text, setText] = useState(() => notation.toText(value));
  // What is half written stays as long as it means what is there; what another view changed takes its place.
  const means = JSON.stringify(notation.fromText(text)) === JSON.stringify(value);
  const shown = means ? text : notation.toText(value);
  const complaint = notation.complaint?.(shown);
  return (
    <Labelled id={id} label={label} hint={complaint ?? hint} isWrong={complaint !== undefined}>
      <textarea
        id={id}
        aria-describedby={`${id}-hint`}
        aria-invalid={complaint !== undefined}
        className={`${BOX} font-mono text-sm`}
        rows={Math.min(12, Math.max(2, shown.split('\n').length))}
        spellCheck={false}
        value={shown}
        onChange={event => {
          setText(event.target.value);
          onWrite(notation.fromText(event.target.value));
        }}
      />
    </Labelled>
  );
}

function Labelled({
  id,
  label,
  hint,
  isWrong = false,
  children,
}: FieldProps & { id: string; isWrong?: boolean; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children}
      <span id={`${id}-hint`} className={`text-sm ${isWrong ? 'text-bad' : 'text-quiet'}`}>
        {hint}
      </span>
    </div>
  );
}
