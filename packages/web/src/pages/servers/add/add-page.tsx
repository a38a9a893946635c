/** A new server: filled in, pasted, or found where an agent has it already. Each way has an address of its own. */
import { PageLink } from '../../../parts/page-link.tsx';
import { ADD, addressOf } from '../../../parts/route.ts';
import { FillIn } from './fill-in.tsx';
import { Find } from './find.tsx';
import { Paste } from './paste.tsx';

const WAYS = { form: 'Fill in a form', paste: 'Paste', find: 'Find on this machine' } as const;
type Way = keyof typeof WAYS;

export function AddPage({ way: word = 'form' }: { way: string | undefined }) {
  const way = Object.hasOwn(WAYS, word) ? (word as Way) : 'form';
  return (
    <>
      <p className="mb-1 text-sm">
        <PageLink to={['servers']}>Servers</PageLink>
      </p>
      <h1 className="text-2xl font-semibold">Add servers</h1>
      <p className="mb-4 mt-1 text-quiet">They are written into your config file, and every agent gets them.</p>
      <nav aria-label="Ways to add servers" className="mb-5 flex flex-wrap gap-1 border-b border-line">
        {Object.entries(WAYS).map(([name, title]) => (
          <a
            key={name}
            href={addressOf('servers', ADD, name)}
            aria-current={name === way ? 'page' : undefined}
            className={`-mb-px border-b-2 px-3 py-2 ${name === way ? 'border-accent font-medium' : 'border-transparent hover:border-line'}`}
          >
            {title}
          </a>
        ))}
      </nav>
      {way === 'form' && <FillIn />}
      {way === 'paste' && <Paste />}
      {way === 'find' && <Find />}
    </>
  );
}
