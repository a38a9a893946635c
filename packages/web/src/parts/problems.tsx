/** What is to be said about a list: where, what, and how to mend it. */
import { Foreign } from './foreign.tsx';

export interface Told {
  readonly kind?: 'Error' | 'Warning';
  readonly path: string;
  /** Shown in place of the path. */
  readonly about?: string;
  readonly message: string;
  readonly fix?: string | undefined;
}

/** Keys and values that are wrong are named: they may be anybody's, and of any length. */
const MOST = 2000;

export function Problems({ problems }: { problems: readonly Told[] }) {
  return (
    <div role="alert" className="my-3 rounded-lg border border-line bg-card p-3">
      <ul>
        {problems.map(({ kind = 'Error', path, about = path, message, fix }) => (
          <li key={`${kind} ${path} ${message}`}>
            <span className={`font-medium ${kind === 'Error' ? 'text-bad' : 'text-wait'}`}>{kind}: </span>
            {about !== '' && (
              <code>
                <Foreign text={`${about}: `} most={MOST} />
              </code>
            )}
            <Foreign text={message} most={MOST} /> {fix !== undefined && <Foreign text={fix} most={MOST} />}
          </li>
        ))}
      </ul>
    </div>
  );
}
