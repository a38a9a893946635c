/** What few servers need: folded away until somebody looks for it. */
import { LinesField, TextField } from '../../../parts/fields.tsx';
import { LIST } from '../../../parts/lines.ts';
import { type EditedDefinition, withKey } from './definition.ts';
import type { DefinitionFormProps } from './definition-form.tsx';

const TIMES = {
  connect_timeout_ms: ['Starting and greeting, ms', '60000 where nothing is set.'],
  request_timeout_ms: ['A control request, ms', '30000 where nothing is set.'],
  tool_idle_timeout_ms: ['Silence of a call, ms', '300000 where nothing is set; progress starts it anew.'],
  tool_timeout_ms: ['A call in all, ms', '97200000 where nothing is set.'],
} as const;

export function RareFields({ definition, onChange }: DefinitionFormProps) {
  const set = (key: string, value: unknown): void => onChange(withKey(definition, key, value));
  const tools = inner(definition.tools);
  const meta = inner(definition.meta);
  const list = (key: string): readonly string[] => (Array.isArray(tools[key]) ? tools[key] : []) as readonly string[];
  return (
    <details className="rounded-lg border border-line p-3">
      <summary className="cursor-pointer font-medium">Which tools, how long, and more</summary>
      <div className="mt-3 grid gap-4 md:grid-cols-2">
        <LinesField
          label="Offer only these tools"
          hint="Names as the server uses them, one on each line; * stands for anything. Empty: all."
          value={list('allow')}
          notation={LIST}
          onWrite={allow => set('tools', withKey(tools, 'allow', allow))}
        />
        <LinesField
          label="Never offer these tools"
          hint="Even if they are allowed."
          value={list('deny')}
          notation={LIST}
          onWrite={deny => set('tools', withKey(tools, 'deny', deny))}
        />
        {Object.entries(TIMES).map(([key, [label, hint]]) => (
          <TextField
            key={key}
            label={label}
            hint={hint}
            value={definition[key] === undefined ? '' : String(definition[key])}
            onWrite={text => set(key, numberIn(text))}
          />
        ))}
        {definition.transport === 'stdio' && (
          <TextField
            label="Folder it starts in"
            hint="Where the hub was started, if nothing is set."
            value={String(definition.cwd ?? '')}
            onWrite={text => set('cwd', text)}
          />
        )}
        <TextField
          label="What it is for"
          hint="For people who look at the list of servers."
          value={String(meta.description ?? '')}
          onWrite={text => set('meta', withKey(meta, 'description', text))}
        />
      </div>
    </details>
  );
}

function inner(value: unknown): EditedDefinition {
  return typeof value === 'object' && value !== null ? (value as EditedDefinition) : {};
}

/** What is no number stays as it is written: the hub says what is wrong with it. */
function numberIn(text: string): number | string {
  return /^\d+$/.test(text.trim()) ? Number(text) : text;
}
