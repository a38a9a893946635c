/**
 * What somebody changes on the page, and of which version: what another one saves meanwhile is never overwritten. It stays
 * with the tab until it is saved or dropped: a reload, or a look at another page, loses nothing.
 */
import { useState } from 'react';

export interface Draft {
  readonly text: string;
  /** What was stored when it was begun. */
  readonly of: string;
  readonly isChanged: boolean;
  /** It was written before the page was loaded, and is here again. */
  readonly isKept: boolean;
  /** Somebody else saved something else since this edit began. */
  readonly isOutdated: boolean;
  readonly write: (text: string) => void;
  /** Shows what is stored. */
  readonly drop: () => void;
  /** What is written here, or this text instead, is meant for the present version too. */
  readonly keep: (text?: string) => void;
}

interface Kept {
  readonly text: string;
  readonly of: string;
}

/** `what`: of which thing this is the draft. `stored`: what there is to edit now, as text. */
export function useDraft(what: string, stored: string): Draft {
  const place = `junctor draft of ${what}`;
  const [kept] = useState(() => draftAt(place));
  const [draft, setDraft] = useState(kept);
  const set = (next: Kept | undefined): void => {
    if (next) sessionStorage.setItem(place, JSON.stringify(next));
    else sessionStorage.removeItem(place);
    setDraft(next);
  };
  return {
    text: draft?.text ?? stored,
    of: draft?.of ?? stored,
    isChanged: draft !== undefined && draft.text !== stored,
    isKept: draft !== undefined && draft === kept,
    // By content: a switch beside it makes another version too, and is no reason to stop anybody.
    isOutdated: draft !== undefined && draft.of !== stored,
    write: text => set(text === stored ? undefined : { text, of: draft?.of ?? stored }),
    drop: () => set(undefined),
    keep: text => draft && set({ text: text ?? draft.text, of: stored }),
  };
}

/** How far an edit has come, in words. */
export function wordsFor({ isChanged, isKept }: Pick<Draft, 'isChanged' | 'isKept'>, isSaved: boolean): string {
  if (!isChanged) return isSaved ? 'Saved, and in force' : '';
  return isKept ? 'Not saved yet: this is what you wrote here before' : 'Not saved yet';
}

function draftAt(place: string): Kept | undefined {
  const kept = sessionStorage.getItem(place);
  return kept === null ? undefined : (JSON.parse(kept) as Kept);
}
