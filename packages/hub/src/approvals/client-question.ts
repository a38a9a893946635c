/** The question whether a call may run, as a form that a client shows to its person, and what comes back. Pure. */
import type { Caller, Host, PendingApproval, ScopedAnswer } from '@junctor/core';
import { agentNamed, argumentLines, visibleText } from '@junctor/core/internal';

export const ELICITATION = 'elicitation/create';

/** A form shows both ends of longer arguments first; a person who wants to read all of them asks for it. */
const SHORT = { maxChars: 600, maxLines: 21 };

/**
 * `short`: both ends of long arguments. `whole`: all of them, since the person asked. `not-always`: the client answered
 * `always`, which counts only where a person is for certain.
 */
export type FormKind = 'short' | 'whole' | 'not-always';

/**
 * The process that is to be restrained shows this form and may answer it itself. So an approval given in it counts for the
 * session at most, and only where the config of the agent allows that.
 */
export function approvesInClient({ loaded }: Pick<Host, 'loaded'>, { agent }: Caller): boolean {
  return agent !== undefined && agentNamed(loaded.frame, agent)?.approves_in_client === true;
}

export function approvalForm(
  { server, tool, args, because, changed = [] }: PendingApproval,
  kind: FormKind = 'short',
): object {
  const shown = argumentLines(args, kind === 'whole' ? {} : SHORT);
  const lines = [
    ...(kind === 'not-always' ? [NOT_ALWAYS] : []),
    `May ${server}/${visibleText(tool)} be called? (${because})`,
    ...shown.lines,
    ...(changed.length > 0 ? ['Changed since you allowed it:', ...changed] : []),
  ];
  const show = shown.isCut ? ' show: all of the arguments first.' : '';
  return {
    mode: 'form',
    message: lines.join('\n'),
    requestedSchema: {
      type: 'object',
      properties: {
        answer: {
          type: 'string',
          title: 'Answer',
          description: `once: this call. session: this tool until the session ends. deny: not at all.${show}`,
          enum: [...SCOPES, ...(shown.isCut ? [SHOW] : [])],
        },
        note: { type: 'string', title: 'Note', description: 'Optional. With deny: what the model reads.' },
      },
      required: ['answer'],
    },
  };
}

/** What the person answered; undefined where they did not, as when the form was closed; or the form to ask once more with. */
export function answerIn(
  result: unknown,
  { agent, client }: Caller,
): ScopedAnswer | Exclude<FormKind, 'short'> | undefined {
  const { action, content } = (result ?? {}) as { action?: unknown; content?: { answer?: unknown; note?: unknown } };
  const calledItself = visibleText(client?.name ?? 'unknown').slice(0, MAX_CLIENT_CHARS);
  const by = `in the client of ${agent ?? 'no agent'} (calls itself ${calledItself})`;
  if (action === 'decline') return { scope: 'deny', by };
  if (action === 'accept' && content?.answer === 'always') return 'not-always';
  if (action === 'accept' && content?.answer === SHOW) return 'whole';
  if (action !== 'accept' || !isScope(content?.answer)) return undefined;
  const { answer: scope, note } = content;
  return scope === 'deny' && typeof note === 'string' && note.trim() !== '' ? { scope, note, by } : { scope, by };
}

const MAX_CLIENT_CHARS = 80;
const SCOPES = ['once', 'session', 'deny'] as const;
const SHOW = 'show';
const NOT_ALWAYS =
  "'always' cannot be chosen inside a client: answer once or session here, or always in the inbox of the hub.";

function isScope(word: unknown): word is (typeof SCOPES)[number] {
  return SCOPES.includes(word as 'once');
}
