import type { ReactNode } from 'react';
import { addressOf } from './route.ts';

/** A link to another place of the page: `to={['servers', 'fs']}`. */
export function PageLink({ to: [page, ...rest], children }: { to: [string, ...string[]]; children: ReactNode }) {
  return (
    <a className="text-accent underline" href={addressOf(page, ...rest)}>
      {children}
    </a>
  );
}
