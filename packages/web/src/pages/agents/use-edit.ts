/**
 * What somebody changes on the page, and of which version: what another one saves meanwhile is never overwritten. It stays
 * with the tab until it is saved or dropped: a reload, or a look at another page, loses nothing.
 */
import type { AgentConfig } from '@junctor/hub/answers';
import { useState } from 'react';
import type { Tagged } from '../../api/client.ts';
import { textOf } from './draft.ts';

export interface Edit {
  readonly text: string;
  readonly isChanged: boolean;
  /** It was written before the page was loaded, and is here again. */
  readonly isKept: boolean;
  /** Somebody else saved another list since this edit began. */
  readonly isOutdated: boolean;
  readonly write: (text: string) => void;
  /** Shows what is stored. */
  readonly drop: () => void;
  /** What is written here is meant for the present version too. */
  readonly keep: () => void;
}

interface Draft {
  readonly text: string;
  /** What was stored when it was begun. */
  readonly of: string;
}

export function useEdit(agent: string, read: Tagged<AgentConfig>): Edit {
  const stored = textOf(read.body);
  const place = `junctor draft of ${agent}`;
  const [kept] = useState(() => draftAt(place));
  const [draft, setDraft] = useState(kept);
  const set = (next: Draft | undefined): void => {
    if (next) sessionStorage.setItem(place, JSON.stringify(next));
    else sessionStorage.removeItem(place);
    setDraft(next);
  };
  return {
    text: draft?.text ?? stored,
    isChanged: draft !== undefined && draft.text !== stored,
    isKept: draft !== undefined && draft === kept,
    // By content: the switch makes another version too, and is no reason to stop anybody.
    isOutdated: draft !== undefined && draft.of !== stored,
    write: text => set(text === stored ? undefined : { text, of: draft?.of ?? stored }),
    drop: () => set(undefined),
    keep: () => draft && set({ ...draft, of: stored }),
  };
}

function draftAt(place: string): Draft | undefined {
  const kept = sessionStorage.getItem(place);
  return kept === null ? undefined : (JSON.parse(kept) as Draft);
}
