/** One tool: what it says, what it costs, how it went so far, its schema; and a form to try it. */
import type { ToolDetail as Detail, Statistics } from '@junctor/hub/answers';
import { useStatistics } from '../../api/queries.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { Json } from '../../parts/json.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { saidOf } from '../approvals/risk-hints.tsx';
import { TryIt } from '../try-it/try-it.tsx';
import { SchemaTable } from './schema-table.tsx';

export function ToolDetail({ tool }: { tool: Detail }) {
  const { name, server, tool: own, description = '', tokens, fingerprint, trusted, inputSchema, outputSchema } = tool;
  const statistics = useStatistics().data?.tools.find(one => one.server === server && one.tool === own);
  const said = saidOf((tool.annotations ?? {}) as Record<string, unknown>);
  return (
    <>
      <p className="mb-1 text-sm">
        <PageLink to={['tools']}>Tools</PageLink> of <PageLink to={['servers', server]}>{server}</PageLink>
      </p>
      <h1 className="mb-1 text-2xl font-semibold">
        <Foreign text={own} />
      </h1>
      <p className="mb-4 text-sm text-quiet">
        offered as <code className="foreign">{name}</code>, {tokens} tokens
      </p>
      <p className="mb-4 whitespace-pre-wrap">
        <Foreign text={description} />
      </p>
      <ul aria-label="About it" className="mb-4 list-disc pl-5 text-sm">
        <li>{trusted ? 'Its server is one that you trust.' : 'Its server is not trusted.'}</li>
        <li>
          {said.length === 0
            ? 'Its server does not say what it may do.'
            : `Its server says: ${said.join(', ')} (its own words: nobody checks them).`}
        </li>
        <li>
          <Record statistics={statistics} />{' '}
          <PageLink to={['activity', `server=${server}&tool=${encodeURIComponent(own)}`]}>Its calls</PageLink>
        </li>
        {fingerprint !== null && (
          <li>
            Fingerprint <code className="wrap-anywhere">{fingerprint}</code>: another one means another definition.
          </li>
        )}
      </ul>
      <h2 className="mb-2 text-lg font-semibold">Try it</h2>
      <TryIt tool={tool} />
      <h2 className="mb-2 mt-6 text-lg font-semibold">Arguments</h2>
      <SchemaTable schema={inputSchema} />
      <details className="mt-3">
        <summary>Schema as JSON</summary>
        <Json value={inputSchema} className="mt-2" />
      </details>
      {outputSchema !== undefined && (
        <>
          <h2 className="mb-2 mt-6 text-lg font-semibold">Answer</h2>
          <Json value={outputSchema} />
        </>
      )}
    </>
  );
}

function Record({ statistics }: { statistics: Statistics | undefined }) {
  if (!statistics) return 'It was not called yet.';
  const { calls, errors, p50_ms: p50, p95_ms: p95 } = statistics;
  return (
    <>
      {calls} calls, {errors} failed{p50 !== null && `; half of them within ${Math.round(p50)} ms`}
      {p95 !== null && `, 95 % within ${Math.round(p95)} ms`}.
    </>
  );
}
