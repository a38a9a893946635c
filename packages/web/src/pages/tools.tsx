/** Every tool of every server, with its origin; and one of them with its schema and how it went so far. */

import type { Statistics, Tool } from '@junctor/hub/answers';
import { useDeferredValue, useState } from 'react';
import { useStatistics, useTools } from '../api/queries.ts';
import { Foreign } from '../parts/foreign.tsx';
import { Json } from '../parts/json.tsx';
import { LongTable } from '../parts/long-table.tsx';
import { Failure, Notice } from '../parts/notice.tsx';
import { PageLink } from '../parts/page-link.tsx';
import type { PageProps } from '../shell/pages.tsx';
import { addressOf } from '../shell/route.ts';
import { TryIt } from './try-it/try-it.tsx';

/** As everywhere in Junctor. */
const CHARACTERS_PER_TOKEN = 4;

export default function Tools({ rest: [name] }: PageProps) {
  const { data, error } = useTools();
  if (error) return <Failure error={error} />;
  if (!data) return <p className="text-quiet">Loading …</p>;
  if (name === undefined) return <ToolList tools={data.tools} />;
  const tool = data.tools.find(one => one.name === name);
  if (tool) return <ToolDetail tool={tool} />;
  return <Notice title={`There is no tool '${name}'.`} next={<a href={addressOf('tools')}>All tools</a>} />;
}

function ToolList({ tools }: { tools: readonly Tool[] }) {
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text).toLowerCase().split(/\s+/);
  const found = tools.filter(({ name, description }) => {
    const about = `${name} ${description ?? ''}`.toLowerCase();
    return wanted.every(word => about.includes(word));
  });
  return (
    <>
      <h1 className="mb-4 text-2xl font-semibold">Tools</h1>
      <input
        type="search"
        aria-label="Search tools"
        placeholder={`Search ${tools.length} tools`}
        className="mb-4 w-full rounded border border-line bg-card p-2"
        value={text}
        onChange={event => setText(event.target.value)}
      />
      {found.length === 0 && <Notice title="No tool has these words." next="Try fewer, or other ones." />}
      {found.length > 0 && (
        <LongTable
          label="Tools"
          rows={found}
          keyOf={({ name }) => name}
          groupOf={serverOf}
          columns={[
            {
              title: 'Tool',
              share: 2,
              cell: ({ name, tool }) => (
                <PageLink to={['tools', name]}>
                  <Foreign text={tool} most={200} />
                </PageLink>
              ),
            },
            {
              title: 'What it says',
              share: 5,
              cell: ({ description = '' }) => (
                <span className="line-clamp-2 text-quiet">
                  <Foreign text={description} most={400} />
                </span>
              ),
            },
            { title: 'Tokens', cell: tokensOf, isNumber: true },
          ]}
        />
      )}
    </>
  );
}

function ToolDetail({ tool }: { tool: Tool }) {
  const statistics = useStatistics().data?.tools.find(one => one.server === tool.server && one.tool === tool.tool);
  return (
    <>
      <p className="mb-1 text-sm">
        <PageLink to={['tools']}>Tools</PageLink> of <PageLink to={['servers', tool.server]}>{tool.server}</PageLink>
      </p>
      <h1 className="mb-1 text-2xl font-semibold">
        <Foreign text={tool.tool} />
      </h1>
      <p className="mb-4 text-sm text-quiet">
        offered as <code>{tool.name}</code>, {tokensOf(tool)} tokens
      </p>
      <p className="mb-4 whitespace-pre-wrap">
        <Foreign text={tool.description ?? ''} />
      </p>
      <Record statistics={statistics} />
      <h2 className="mb-2 text-lg font-semibold">Try it</h2>
      <TryIt key={tool.name} tool={tool} />
      <h2 className="mb-2 mt-6 text-lg font-semibold">Arguments</h2>
      <Json value={tool.inputSchema} />
    </>
  );
}

function Record({ statistics }: { statistics: Statistics | undefined }) {
  if (!statistics) return <p className="mb-4 text-quiet">It was not called yet.</p>;
  const { calls, errors, p50_ms: p50, p95_ms: p95 } = statistics;
  return (
    <p className="mb-4">
      {calls} calls, {errors} failed{p50 !== null && `; half of them within ${Math.round(p50)} ms`}
      {p95 !== null && `, 95 % within ${Math.round(p95)} ms`}
    </p>
  );
}

function serverOf({ server }: Tool): string {
  return server;
}

function tokensOf({ name, description = '', inputSchema }: Tool): number {
  return Math.ceil((name.length + description.length + JSON.stringify(inputSchema).length) / CHARACTERS_PER_TOKEN);
}
