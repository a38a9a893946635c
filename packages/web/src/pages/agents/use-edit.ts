/** What somebody changes on the page, and of which version: what another one saves meanwhile is never overwritten. */
import type { AgentConfig } from '@junctor/hub/answers';
import { useState } from 'react';
import type { Tagged } from '../../api/client.ts';
import { textOf } from './draft.ts';

export interface Edit {
  readonly text: string;
  readonly isChanged: boolean;
  /** Somebody else saved another list since this edit began. */
  readonly isOutdated: boolean;
  readonly write: (text: string) => void;
  /** Shows what is stored. */
  readonly drop: () => void;
  /** What is written here is meant for the present version too. */
  readonly keep: () => void;
}

export function useEdit(read: Tagged<AgentConfig>): Edit {
  const stored = textOf(read.body);
  const [edit, setEdit] = useState<{ text: string; of: string }>();
  return {
    text: edit?.text ?? stored,
    isChanged: edit !== undefined && edit.text !== stored,
    // By content: the switch makes another version too, and is no reason to stop anybody.
    isOutdated: edit !== undefined && edit.of !== stored,
    write: text => setEdit({ text, of: edit?.of ?? stored }),
    drop: () => setEdit(undefined),
    keep: () => edit && setEdit({ ...edit, of: stored }),
  };
}
