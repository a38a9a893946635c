/** The views of one server, each with an address of its own: a reload comes back to it. */
import { addressOf } from '../../parts/route.ts';

export const VIEWS = { about: 'About', edit: 'Edit', check: 'Check', traffic: 'Traffic' } as const;
export type View = keyof typeof VIEWS;

export function viewNamed(word: string | undefined): View {
  return word !== undefined && Object.hasOwn(VIEWS, word) ? (word as View) : 'about';
}

export function ServerViews({ id, view }: { id: string; view: View }) {
  return (
    <nav aria-label={`Views of ${id}`} className="mb-5 flex flex-wrap gap-1 border-b border-line">
      {Object.entries(VIEWS).map(([name, title]) => (
        <a
          key={name}
          href={name === 'about' ? addressOf('servers', id) : addressOf('servers', id, name)}
          aria-current={name === view ? 'page' : undefined}
          className={`-mb-px border-b-2 px-3 py-2 ${name === view ? 'border-accent font-medium' : 'border-transparent hover:border-line'}`}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}
