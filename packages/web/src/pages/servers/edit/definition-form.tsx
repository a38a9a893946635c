/** A definition as a form, by its transport: what most people change. All else in it is kept, and can be changed as JSON. */
import { LinesField, SelectField, TextField } from '../../../parts/fields.tsx';
import { fitsOnLines, LIST, pairs, type Texts } from '../../../parts/lines.ts';
import { type EditedDefinition, withKey, withTransport } from './definition.ts';
import { RareFields } from './rare-fields.tsx';

export interface DefinitionFormProps {
  readonly definition: EditedDefinition;
  readonly onChange: (definition: EditedDefinition) => void;
}

const TRANSPORTS = {
  stdio: 'stdio: a program on this machine',
  http: 'http: Streamable HTTP',
  streamable_http: 'streamable_http: the same in another word',
  sse: 'sse: the older HTTP with events',
  ws: 'ws: WebSocket',
};

const MODES = {
  '': 'not set: auto',
  auto: 'auto: programs per session, addresses shared',
  shared: 'shared: one for all sessions',
  per_session: 'per_session: one for each session',
};

const TRUST = {
  '': 'not set: untrusted, each call needs a yes',
  untrusted: 'untrusted: each call needs a yes',
  trusted: 'trusted: calls run without asking',
};

const VARIABLES = pairs('=');
const HEADERS = pairs(': ');

export function DefinitionForm({ definition, onChange }: DefinitionFormProps) {
  const text = (key: string): string => (typeof definition[key] === 'string' ? (definition[key] as string) : '');
  const set = (key: string, value: unknown): void => onChange(withKey(definition, key, value));
  const texts = (key: string): Texts => (definition[key] ?? {}) as Texts;
  const isProgram = definition.transport === 'stdio';
  return (
    <div className="flex flex-col gap-4">
      <SelectField
        label="Kind"
        value={text('transport')}
        options={TRANSPORTS}
        onWrite={kind => onChange(withTransport(definition, kind))}
      />
      {isProgram && (
        <>
          <TextField label="Command" value={text('command')} onWrite={value => set('command', value)} />
          {fitsOnLines(definition.args) ? (
            <LinesField
              label="Arguments"
              hint="One on each line, passed as they are."
              value={(definition.args ?? []) as readonly string[]}
              notation={LIST}
              onWrite={list => set('args', list)}
            />
          ) : (
            <OnlyAsJson what="arguments" />
          )}
          {fitsOnLines(definition.env) ? (
            <LinesField
              label="Environment"
              hint="NAME=value, one on each line. ••• is a secret that stays as it is; a new one goes to the secret store."
              value={texts('env')}
              notation={VARIABLES}
              onWrite={env => set('env', env)}
            />
          ) : (
            <OnlyAsJson what="environment" />
          )}
        </>
      )}
      {!isProgram && (
        <>
          <TextField label="URL" value={text('url')} onWrite={value => set('url', value)} />
          {fitsOnLines(definition.headers) ? (
            <LinesField
              label="Headers"
              hint="Name: value, one on each line. ••• is a secret that stays as it is; a new one goes to the secret store."
              value={texts('headers')}
              notation={HEADERS}
              onWrite={headers => set('headers', headers)}
            />
          ) : (
            <OnlyAsJson what="headers" />
          )}
        </>
      )}
      <div className="grid gap-4 md:grid-cols-2">
        <SelectField label="Mode" value={text('mode')} options={MODES} onWrite={value => set('mode', value)} />
        <SelectField label="Trust" value={text('trust')} options={TRUST} onWrite={value => set('trust', value)} />
      </div>
      <RareFields definition={definition} onChange={onChange} />
    </div>
  );
}

function OnlyAsJson({ what }: { what: string }) {
  return <p className="text-sm text-quiet">Its {what} do not fit on lines: change them as JSON.</p>;
}
