/** The question whether a call may run, as a form that a client shows to its person, and what comes back. Pure. */
import type { PendingApproval, ScopedAnswer } from '@junctor/core';
import { visibleText } from '@junctor/core/inside';

export const ELICITATION = 'elicitation/create';

/** A person decides by what is in the first lines; a file that is passed in is not read in a form. */
const MAX_SHOWN_CHARS = 600;

export function approvalForm({ server, tool, args, because, changed = [] }: PendingApproval): object {
  const lines = [
    `May '${visibleText(tool)}' on server '${server}' be called? (${because})`,
    ...argumentLines(args),
    ...(changed.length > 0 ? ['What is another since it was allowed:', ...changed.map(shortened)] : []),
  ];
  return {
    mode: 'form',
    message: lines.join('\n'),
    requestedSchema: {
      type: 'object',
      properties: {
        answer: {
          type: 'string',
          title: 'Answer',
          description:
            'once: this call. session: this tool until the session ends. always: later too. deny: not at all.',
          enum: ['once', 'session', 'always', 'deny'],
        },
        note: { type: 'string', title: 'Note', description: 'With deny: what the model is told. May stay empty.' },
      },
      required: ['answer'],
    },
  };
}

/** What the person said; undefined where nothing was said, as when the form was closed. */
export function answerIn(result: unknown, client: string): ScopedAnswer | undefined {
  const { action, content } = (result ?? {}) as { action?: unknown; content?: { answer?: unknown; note?: unknown } };
  const by = `in ${visibleText(client).slice(0, MAX_CLIENT_CHARS)}`;
  if (action === 'decline') return { scope: 'deny', by };
  if (action !== 'accept' || !isScope(content?.answer)) return undefined;
  const { answer: scope, note } = content;
  return scope === 'deny' && typeof note === 'string' && note.trim() !== '' ? { scope, note, by } : { scope, by };
}

const MAX_CLIENT_CHARS = 80;
const SCOPES = ['once', 'session', 'always', 'deny'];

function isScope(word: unknown): word is ScopedAnswer['scope'] {
  return SCOPES.includes(word as string);
}

function argumentLines(args: unknown): string[] {
  if (typeof args !== 'object' || args === null) return args === undefined ? [] : [shortened(visibleText(args))];
  return Object.entries(args).map(([name, value]) => shortened(`${visibleText(name)}: ${visibleText(value)}`));
}

function shortened(line: string): string {
  return line.length > MAX_SHOWN_CHARS ? `${line.slice(0, MAX_SHOWN_CHARS)}… (${line.length} characters)` : line;
}
