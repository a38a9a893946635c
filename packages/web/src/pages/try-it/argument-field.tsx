import { useId } from 'react';
import { Foreign } from '../../parts/foreign.tsx';
import type { Field } from './fields.ts';

interface ArgumentFieldProps {
  readonly field: Field;
  readonly value: string;
  readonly onWrite: (value: string) => void;
}

export function ArgumentField({ field, value, onWrite }: ArgumentFieldProps) {
  const id = useId();
  const { name, kind, description, isRequired } = field;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id}>
        <Foreign text={name} most={200} />
        {kind === 'json' && ', as JSON'}
        {!isRequired && ' (may be left out)'}
      </label>
      <Input id={id} field={field} value={value} onWrite={onWrite} />
      <span className="text-sm text-quiet">
        <Foreign text={description} most={400} />
      </span>
    </div>
  );
}

function Input({ id, field: { kind, options }, value, onWrite }: ArgumentFieldProps & { id: string }) {
  const looks = 'w-full rounded border border-line bg-page p-2';
  const written = { id, value, onChange: (event: { target: { value: string } }) => onWrite(event.target.value) };
  if (kind === 'json') return <textarea className={`${looks} font-mono`} rows={3} spellCheck={false} {...written} />;
  if (kind === 'number') return <input className={looks} type="number" step="any" {...written} />;
  if (kind === 'text') return <input className={looks} autoComplete="off" spellCheck={false} {...written} />;
  return (
    <select className={looks} {...written}>
      <option value="">–</option>
      {(kind === 'switch' ? ['true', 'false'] : options).map(option => (
        <option key={option}>{option}</option>
      ))}
    </select>
  );
}
