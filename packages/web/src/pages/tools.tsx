/** Every tool of every server, with its origin; and one of them with its schema and how it went so far. */

import type { Statistics, Tool } from '@junctor/hub/answers';
import { useDeferredValue, useState } from 'react';
import { useStatistics, useTools } from '../api/queries.ts';
import { Foreign } from '../parts/foreign.tsx';
import { Json } from '../parts/json.tsx';
import { Failure, Notice } from '../parts/notice.tsx';
import { PageLink } from '../parts/page-link.tsx';
import type { PageProps } from '../shell/pages.tsx';
import { addressOf } from '../shell/route.ts';
import { TryIt } from './try-it/try-it.tsx';

/** More are not drawn: whoever looks for one writes a word of it. */
const MOST = 200;

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
  const groups = Map.groupBy(found.slice(0, MOST), ({ server }) => server);
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
      {[...groups].map(([server, ofServer]) => (
        <section key={server} className="mb-5">
          <h2 className="mb-2 text-lg font-semibold">{server}</h2>
          <ul className="rounded-lg border border-line bg-card">
            {ofServer.map(tool => (
              <li key={tool.name} className="border-b border-line p-3 last:border-0">
                <PageLink to={['tools', tool.name]}>
                  <Foreign text={tool.tool} />
                </PageLink>
                <span className="ml-2 text-sm text-quiet">{tokensOf(tool)} tokens</span>
                <p className="line-clamp-2 text-sm text-quiet">
                  <Foreign text={tool.description ?? ''} most={400} />
                </p>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {found.length > MOST && (
        <p className="text-quiet">{found.length - MOST} more: search for a word of their names.</p>
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

function tokensOf({ name, description = '', inputSchema }: Tool): number {
  return Math.ceil((name.length + description.length + JSON.stringify(inputSchema).length) / CHARACTERS_PER_TOKEN);
}
