/** Something to say in place of content: what is so, and what to do next. */
import type { ReactNode } from 'react';
import { HubError } from '../api/client.ts';
import { Foreign } from './foreign.tsx';

export function Notice({ title, why, next }: { title: string; why?: ReactNode; next?: ReactNode }) {
  return (
    <div className="rounded-lg border border-line bg-card p-4">
      <p className="font-medium">
        <Foreign text={title} />
      </p>
      {why !== undefined && (
        <p className="foreign mt-1 text-quiet">{typeof why === 'string' ? <Foreign text={why} /> : why}</p>
      )}
      {next !== undefined && <p className="mt-2">{next}</p>}
    </div>
  );
}

export function Failure({ error }: { error: Error }) {
  const { why, hint } = error instanceof HubError ? error : {};
  return (
    <div role="alert">
      <Notice title={error.message} why={why} next={hint} />
    </div>
  );
}

export function Loading() {
  return <p className="text-quiet">Loading …</p>;
}
