/** Names and what they stand for, one under the other; side by side where there is room. */
import type { ReactNode } from 'react';
import { Foreign } from './foreign.tsx';

export type Fact = readonly [name: string, value: ReactNode];

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="rounded-lg border border-line bg-card">
      {facts.map(([name, value]) => (
        <div key={name} className="border-b border-line px-3 py-2 last:border-0 sm:flex sm:gap-4">
          <dt className="text-quiet sm:w-48 sm:shrink-0">{name}</dt>
          <dd className="min-w-0">{typeof value === 'string' ? <Foreign text={value} most={2000} /> : value}</dd>
        </div>
      ))}
    </dl>
  );
}
