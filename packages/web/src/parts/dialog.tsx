/**
 * A window above the page. The browser's own: it keeps the focus inside, closes with Escape, and needs no style that the
 * page's policy would refuse.
 */
import { type ReactNode, useEffect, useRef } from 'react';

interface DialogProps {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Dialog({ label, isOpen, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    if (isOpen) dialog?.showModal();
    else dialog?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={element}
      aria-label={label}
      // The event comes a moment after the closing: by then the dialog may be open again.
      onClose={() => element.current?.open || onClose()}
      className="m-auto w-[min(34rem,92vw)] rounded-lg border border-line bg-card p-4 text-text backdrop:bg-black/50"
    >
      {isOpen && children}
    </dialog>
  );
}
