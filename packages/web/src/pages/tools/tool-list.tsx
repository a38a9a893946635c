/** All tools by server or by what they do, or those that a model would find with these words, in its order. */
import type { ShortTool, Statistics } from '@junctor/hub/answers';
import { useMemo, useState } from 'react';
import { useStatistics, useToolSearch } from '../../api/queries.ts';
import { Choice } from '../../parts/choice.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { LongTable } from '../../parts/long-table.tsx';
import { Failure, Notice } from '../../parts/notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import type { Column } from '../../parts/table.tsx';
import { useSettled } from '../../parts/use-settled.ts';
import { EFFECT_WORDS } from './effect-words.ts';
import { HiddenTools } from './hidden-tools.tsx';

const TYPING_MS = 150;

const GROUPINGS = {
  'By server': ({ server }: ShortTool) => server,
  'By what it does': ({ effect }: ShortTool) => EFFECT_WORDS[effect],
} as const;
type Grouping = keyof typeof GROUPINGS;

export function ToolList() {
  const [text, setText] = useState('');
  const [grouping, setGrouping] = useState<Grouping>('By server');
  const query = useSettled(text.trim(), TYPING_MS);
  const { data, error } = useToolSearch(query);
  const statistics = useStatistics().data?.tools;
  const columns = useMemo(() => columnsWith(statistics ?? []), [statistics]);
  const isRanked = query !== '';
  const groupOf = GROUPINGS[grouping];
  const rows = useMemo(() => {
    const tools = data?.tools ?? [];
    return isRanked ? tools : tools.toSorted(byWords(tool => `${groupOf(tool)}\0${tool.server}\0${tool.tool}`));
  }, [data, isRanked, groupOf]);
  return (
    <>
      <h1 className="mb-4 text-2xl font-semibold">Tools</h1>
      {error && <Failure error={error} />}
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <input
          type="search"
          aria-label="Search tools"
          placeholder="Say what the tool should do"
          className="min-w-60 flex-1 rounded border border-line bg-card p-2"
          value={text}
          onChange={event => setText(event.target.value)}
        />
        {!isRanked && (
          <Choice
            label="Grouped"
            options={Object.keys(GROUPINGS) as Grouping[]}
            chosen={grouping}
            onChoose={setGrouping}
          />
        )}
      </div>
      <p role="status" className="mb-2 text-sm text-quiet">
        {data ? counted(rows, isRanked) : 'Loading …'}
      </p>
      {data && data.hidden.length > 0 && <HiddenTools hidden={data.hidden} />}
      {data && rows.length === 0 && <Empty isRanked={isRanked} />}
      {rows.length > 0 && (
        <LongTable
          label="Tools"
          rows={rows}
          keyOf={({ name }) => name}
          {...(isRanked ? {} : { groupOf })}
          columns={columns}
        />
      )}
    </>
  );
}

function counted(tools: readonly ShortTool[], isRanked: boolean): string {
  const tokens = tools.reduce((sum, { tokens: own }) => sum + own, 0);
  if (isRanked) return `${tools.length} found, the best first: the order in which a model finds them.`;
  return `${tools.length.toLocaleString()} tools. All definitions together cost a model ${tokens.toLocaleString()} tokens.`;
}

function Empty({ isRanked }: { isRanked: boolean }) {
  return isRanked ? (
    <Notice title="No tool is found with these words." next="Try fewer, or other ones." />
  ) : (
    <Notice
      title="No server offers a tool."
      next={
        <>
          Look how they are, or add one: <PageLink to={['servers']}>Servers</PageLink>
        </>
      }
    />
  );
}

function columnsWith(statistics: readonly Statistics[]): Column<ShortTool>[] {
  const calls = new Map(statistics.map(one => [`${one.server}\0${one.tool}`, one]));
  return [
    {
      title: 'Tool',
      share: 2.5,
      cell: ({ name, tool }) => (
        <PageLink to={['tools', name]}>
          <Foreign text={tool} most={200} />
        </PageLink>
      ),
    },
    { title: 'Server', share: 1.5, cell: ({ server }) => server },
    {
      title: 'What it says',
      share: 5,
      cell: ({ description }) => (
        <span className="line-clamp-2 text-quiet">
          <Foreign text={description} />
        </span>
      ),
    },
    { title: 'Tokens', cell: ({ tokens }) => tokens, isNumber: true },
    { title: 'Calls', cell: ({ server, tool }) => calls.get(`${server}\0${tool}`)?.calls ?? 0, isNumber: true },
  ];
}

function byWords<Row>(words: (row: Row) => string): (one: Row, other: Row) => number {
  return (one, other) => (words(one) < words(other) ? -1 : 1);
}
