/** A value as JSON, exactly: what would not be seen, or would turn the writing around, stands as its number. */
import { escapeUnseen } from '@junctor/core/pure';
import { Foreign } from './foreign.tsx';

export function Json({ value, className = '' }: { value: unknown; className?: string }) {
  return (
    <pre className={`overflow-auto whitespace-pre-wrap rounded-lg border border-line bg-card p-3 text-sm ${className}`}>
      <Exact text={JSON.stringify(value, undefined, 2)} />
    </pre>
  );
}

/** Nothing of it is left out: whoever says yes to it has seen it. */
export function Exact({ text, most }: { text: string; most?: number }) {
  return <Foreign text={escapeUnseen(text)} {...(most === undefined ? {} : { most })} />;
}
