/** What is to be said about a list: where, what, and how to mend it. */
export interface Told {
  readonly kind?: 'Error' | 'Warning';
  readonly path: string;
  /** Shown in place of the path. */
  readonly about?: string;
  readonly message: string;
  readonly fix?: string | undefined;
}

export function Problems({ problems }: { problems: readonly Told[] }) {
  return (
    <div role="alert" className="my-3 rounded-lg border border-line bg-card p-3">
      <ul>
        {problems.map(({ kind = 'Error', path, about = path, message, fix }) => (
          <li key={`${kind} ${path} ${message}`} className="foreign">
            <span className={`font-medium ${kind === 'Error' ? 'text-bad' : 'text-wait'}`}>{kind}: </span>
            {about !== '' && <code>{about}: </code>}
            {message} {fix}
          </li>
        ))}
      </ul>
    </div>
  );
}
