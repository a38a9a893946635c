/** Whatever another program takes: its file or a piece of it, or the line that adds a server to it. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure, Notice } from '../../../parts/notice.tsx';
import { useSettled } from '../../../parts/use-settled.ts';
import { Offered } from './offered.tsx';
import { askPreview } from './preview.ts';

/** Nobody wants to be told of what is wrong between two letters. */
const PAUSE_MS = 250;

const EXAMPLE = 'claude mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes';

export function Paste() {
  const [text, setText] = useState('');
  const settled = useSettled(text, PAUSE_MS);
  const isEmpty = settled.trim() === '';
  const { data, error } = useQuery({
    queryKey: ['import-preview', settled],
    queryFn: ({ signal }) => askPreview({ text: settled }, signal),
    enabled: !isEmpty,
    placeholderData: keepPreviousData,
    // It may hold secrets: it is forgotten with the page.
    gcTime: 0,
  });
  return (
    <>
      <label htmlFor="pasted" className="font-medium">
        JSON, TOML or YAML of any agent, or a line that adds a server
      </label>
      <textarea
        id="pasted"
        aria-describedby="pasted-hint"
        className="mt-1 w-full rounded-lg border border-line bg-card p-3 font-mono text-sm"
        rows={Math.min(20, Math.max(6, text.split('\n').length + 1))}
        spellCheck={false}
        autoComplete="off"
        placeholder={EXAMPLE}
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <p id="pasted-hint" className="mb-4 text-sm text-quiet">
        As Claude, Codex, Cursor, Gemini, VS Code and others write it; a piece of a file will do. Nothing is written
        before you say so.
      </p>
      {error && <Failure error={error} />}
      {!isEmpty && data && (
        <>
          <p role="status" className="mb-3">
            {data.what === null ? 'No server was understood.' : `Read as ${data.what}.`}
          </p>
          {data.what === null && data.problems.length === 0 && (
            <Notice title="Nothing in it looks like a server." next={`A line that works: ${EXAMPLE}`} />
          )}
          <Offered key={settled} preview={data} text={settled} />
        </>
      )}
    </>
  );
}
