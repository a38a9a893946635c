/** Where on the page we are: `#/servers/fs`. After the `#`, because the hub has doors of its own at `/servers/…`. */
import { useSyncExternalStore } from 'react';

export interface Place {
  readonly page: string;
  /** What stands after it: the id of a server, say. */
  readonly rest: readonly string[];
}

/** Stands for a server that is to be added: none can have this id. */
export const ADD = '+add';

export function usePlace(): Place {
  const hash = useSyncExternalStore(
    listener => {
      window.addEventListener('hashchange', listener);
      return () => window.removeEventListener('hashchange', listener);
    },
    () => window.location.hash,
  );
  return placeIn(hash);
}

export function placeIn(hash: string): Place {
  const [page = '', ...rest] = hash.replace(/^#\/?/, '').split('/').map(readable);
  return { page: page === '' ? 'overview' : page, rest: rest.filter(part => part !== '') };
}

export function addressOf(page: string, ...rest: string[]): string {
  return `#/${[page, ...rest].map(encodeURIComponent).join('/')}`;
}

export function goTo(page: string, ...rest: string[]): void {
  window.location.hash = addressOf(page, ...rest);
}

function readable(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
