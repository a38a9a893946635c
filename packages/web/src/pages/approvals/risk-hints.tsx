/** What speaks for and against a call. What the server says of its tool is told as its words: it may lie. */
import type { ApprovalPreview } from '@junctor/hub/answers';

export function RiskHints({ preview: { annotations, trusted, past } }: { preview: ApprovalPreview }) {
  const said = saidOf(annotations ?? {});
  return (
    <ul aria-label="Hints" className="mb-3 list-disc pl-5 text-sm">
      <li>{trusted ? 'Its server is one that you trust.' : '△ Its server is not trusted.'}</li>
      <li>
        {past.calls === 0
          ? '△ This tool was not called before.'
          : `It was called ${past.calls === 200 ? 'at least ' : ''}${past.calls} times before, ${past.failed} failed.`}
      </li>
      <li>
        {said.length === 0 ? 'The server does not say what the tool may do' : `The server says: ${said.join(', ')}`}
        {said.length > 0 && ' (its own words: nobody checks them)'}.
      </li>
    </ul>
  );
}

/** https://modelcontextprotocol.io: the hints a tool may give, each with what it means either way. */
const HINTS: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  readOnlyHint: ['it changes nothing', 'it changes something'],
  destructiveHint: ['△ it may destroy something', 'it only adds'],
  idempotentHint: ['twice is as once', 'twice is not as once'],
  openWorldHint: ['it reaches into the outer world', 'it stays inside'],
};

export function saidOf(annotations: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(HINTS).flatMap(([name, [yes, no]]) => {
    const value = annotations[name];
    return typeof value === 'boolean' ? [value ? yes : no] : [];
  });
}
