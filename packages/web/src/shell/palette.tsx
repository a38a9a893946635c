/** Ctrl-K: every page, server, agent and tool by its name, and the usual things to do. */
import { useEffect, useRef, useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { Foreign } from '../parts/foreign.tsx';
import { addressOf } from '../parts/route.ts';
import { PAGES } from './pages.tsx';
import { matching, type Target, useTargets } from './targets.ts';

const MOST = 12;

export function Palette({ deeds }: { deeds: readonly Target[] }) {
  const [isOpen, setOpen] = useState(false);
  usePaletteKeys(() => setOpen(true));
  return (
    <Dialog label="Go to" isOpen={isOpen} onClose={() => setOpen(false)}>
      <Choices deeds={deeds} onChosen={() => setOpen(false)} />
    </Dialog>
  );
}

function Choices({ deeds, onChosen }: { deeds: readonly Target[]; onChosen: () => void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const found = matching([...useTargets(), ...deeds], text).slice(0, MOST);
  const chosen = found[Math.min(at, found.length - 1)];
  const choose = (target: Target): void => {
    if ('address' in target) window.location.hash = target.address;
    else target.run();
    onChosen();
  };
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setAt(Math.min(at + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0));
    else if (event.key === 'Enter' && chosen) choose(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        aria-label="Go to"
        aria-controls="palette-choices"
        className="w-full rounded bg-transparent p-2"
        placeholder="Page, server, agent, tool, or what to do"
        value={text}
        onChange={event => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="palette-choices" className="max-h-80 overflow-auto">
        {found.map(target => (
          <li key={target.label}>
            <button
              type="button"
              className={`block w-full rounded px-2 py-1.5 text-left ${target === chosen ? 'bg-accent/15 font-medium' : ''}`}
              onClick={() => choose(target)}
            >
              <Foreign text={target.label} most={200} />
            </button>
          </li>
        ))}
        {found.length === 0 && <li className="p-2 text-quiet">Nothing has this name.</li>}
      </ul>
    </>
  );
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
