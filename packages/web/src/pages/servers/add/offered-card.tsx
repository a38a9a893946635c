/** One server that could be copied: what it is, where it comes from, and what becomes of its secrets. */
import { TextField } from '../../../parts/fields.tsx';
import { Foreign } from '../../../parts/foreign.tsx';
import { Json } from '../../../parts/json.tsx';
import { type OfferedServer, type Pick, whyNot } from './preview.ts';

interface OfferedCardProps {
  readonly server: OfferedServer;
  readonly pick: Pick;
  /** Ids that are there already. */
  readonly taken: ReadonlySet<string>;
  readonly onPick: (pick: Pick) => void;
}

export function OfferedCard({ server, pick, taken, onPick }: OfferedCardProps) {
  const { id, definition, from, also, secrets, present } = server;
  const problem = pick.isChosen ? whyNot(pick, server, taken) : undefined;
  const mayReplace = pick.isChosen && taken.has(pick.as) && !(pick.as === id && present === 'same');
  return (
    <div className="rounded-lg border border-line bg-card p-3">
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-1.5"
          checked={pick.isChosen}
          onChange={event => onPick({ ...pick, isChosen: event.target.checked })}
        />
        <span className="min-w-0">
          <span className="font-medium">
            <Foreign text={id} most={200} />
          </span>{' '}
          <span className="text-quiet">{definition.transport}</span>
          <br />
          <code className="text-sm">
            <Foreign text={lineOf(definition)} most={400} />
          </code>
        </span>
      </label>
      <div className="mt-2 flex flex-col gap-2 pl-6 text-sm">
        {from !== null && (
          <p className="text-quiet">
            <Foreign text={`from ${[from, ...also].join(', ')}`} most={2000} />
          </p>
        )}
        {present === 'same' && <p>It is there already, just so.</p>}
        {present === 'other' && !pick.isChosen && <p>A server of this id is there already, defined otherwise.</p>}
        {secrets.length > 0 && (
          <p>
            Its {secrets.length === 1 ? 'secret goes' : 'secrets go'} to the secret store, the file gets a reference:{' '}
            <code>
              <Foreign text={secrets.join(', ')} most={2000} />
            </code>
          </p>
        )}
        {pick.isChosen && (
          <div className="max-w-xs">
            <TextField label={`Id of ${id}`} value={pick.as} onWrite={as => onPick({ ...pick, as, replaces: false })} />
          </div>
        )}
        {mayReplace && (
          <label className="flex items-center gap-2">
            <input
              type="checkbox"
              checked={pick.replaces}
              onChange={event => onPick({ ...pick, replaces: event.target.checked })}
            />
            Replace the {pick.as} that is there
          </label>
        )}
        {problem && <p className="text-bad">{problem}</p>}
        <details>
          <summary className="cursor-pointer">All of it</summary>
          <Json value={definition} className="mt-2" />
        </details>
      </div>
    </div>
  );
}

function lineOf(definition: OfferedServer['definition']): string {
  if (definition.transport !== 'stdio') return definition.url;
  return [definition.command, ...(definition.args ?? [])].map(quoted).join(' ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./${}•-]+$/.test(word) ? word : JSON.stringify(word);
}
