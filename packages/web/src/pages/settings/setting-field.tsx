/** One setting: what it is for, what it is now, and where that stands. */
import type { Setting } from '@junctor/hub/answers';
import { useId } from 'react';
import { bytesText, spanText } from '../../parts/amounts.ts';

interface SettingFieldProps {
  readonly setting: Setting;
  readonly text: string;
  readonly problem: string | undefined;
  readonly onWrite: (text: string) => void;
}

const FIELD = 'w-full rounded border border-line bg-page p-2 sm:w-48';

export function SettingField({ setting, text, problem, onWrite }: SettingFieldProps) {
  const { key, purpose, layer, at_once } = setting;
  const id = useId();
  return (
    <label htmlFor={id} className="flex flex-col gap-2 sm:flex-row sm:items-start sm:justify-between">
      <span className="min-w-0">
        <code className="foreign font-medium">{key}</code>
        <span className="block text-sm text-quiet">
          {purpose} {layer !== null && `Set in the ${layer} file.`}
          {!at_once && ' A change counts once the hub is started again.'}
        </span>
        {problem !== undefined && <span className="block text-sm text-bad">✕ {problem}</span>}
      </span>
      <span className="shrink-0">
        <Field id={id} setting={setting} text={text} onWrite={onWrite} />
        <span className="mt-1 block text-sm text-quiet">{readable(key, text)}</span>
      </span>
    </label>
  );
}

function Field({ id, setting, text, onWrite }: Omit<SettingFieldProps, 'problem'> & { readonly id: string }) {
  const { kind, choices, purpose } = setting;
  if (kind === 'number')
    return (
      <input
        id={id}
        className={FIELD}
        inputMode="decimal"
        autoComplete="off"
        placeholder={/Default (?:is )?([\w.]*\w)/.exec(purpose)?.[1] ?? ''}
        value={text}
        onChange={event => onWrite(event.target.value)}
      />
    );
  return (
    <select id={id} className={FIELD} value={text} onChange={event => onWrite(event.target.value)}>
      <option value="">the default</option>
      {(kind === 'switch' ? ['true', 'false'] : choices).map(choice => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  );
}

/** `604800000` says little; `7 d` does. */
function readable(key: string, text: string): string {
  const number = Number(text);
  if (text === '' || !Number.isFinite(number)) return '';
  if (key.endsWith('_ms')) return `= ${spanText(number)}`;
  return key.endsWith('_bytes') ? `= ${bytesText(number)}` : '';
}
