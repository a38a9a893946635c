/** Ctrl-K: every page and every server by its name. */
import { useEffect, useRef, useState } from 'react';
import { useServers } from '../api/queries.ts';
import { Dialog } from '../parts/dialog.tsx';
import { PAGES } from './pages.tsx';
import { addressOf } from './route.ts';

interface Target {
  readonly label: string;
  readonly address: string;
}

const MOST = 12;

export function Palette() {
  const [isOpen, setOpen] = useState(false);
  usePaletteKeys(() => setOpen(true));
  return (
    <Dialog label="Go to" isOpen={isOpen} onClose={() => setOpen(false)}>
      <Choices onChosen={() => setOpen(false)} />
    </Dialog>
  );
}

function Choices({ onChosen }: { onChosen: () => void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const found = useTargets()
    .filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
    .slice(0, MOST);
  const chosen = found[Math.min(at, found.length - 1)];
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setAt(Math.min(at + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0));
    else if (event.key === 'Enter' && chosen) {
      window.location.hash = chosen.address;
      onChosen();
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        aria-label="Go to"
        aria-controls="palette-choices"
        className="w-full rounded bg-transparent p-2"
        placeholder="Page or server"
        value={text}
        onChange={event => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul ref={list} id="palette-choices" className="max-h-80 overflow-auto">
        {found.map(target => (
          <li key={target.address}>
            <a
              className={`block rounded px-2 py-1.5 ${target === chosen ? 'bg-accent/15 font-medium' : ''}`}
              href={target.address}
              onClick={onChosen}
            >
              {target.label}
            </a>
          </li>
        ))}
        {found.length === 0 && <li className="p-2 text-quiet">Nothing has this name.</li>}
      </ul>
    </>
  );
}

function useTargets(): Target[] {
  const servers = useServers().data?.servers ?? [];
  return [
    ...PAGES.map(({ id, title }) => ({ label: title, address: addressOf(id) })),
    ...servers.map(({ id }) => ({ label: `Server ${id}`, address: addressOf('servers', id) })),
  ];
}

/** Ctrl-K opens it; `g` and a letter go to a page at once. Whoever writes into a field is left alone. */
function usePaletteKeys(open: () => void): void {
  const opened = useRef(open);
  opened.current = open;
  useEffect(() => {
    let afterG = false;
    const onKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
        event.preventDefault();
        opened.current();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
      const page = afterG ? PAGES.find(({ key }) => key === event.key) : undefined;
      if (page) window.location.hash = addressOf(page.id);
      afterG = event.key === 'g';
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable)
  );
}
