/** The question whether a call may run, as a form that any client can show, and what the answer means. Pure. */
import type { Answer, Question } from '@junctor/core';
import { maskArguments, visibleText } from '@junctor/core/light';
import { NATIVE } from '../native/permitted.ts';
import type { FormQuestion } from './serving.ts';

const DECISIONS = ['once', 'session', 'always', 'deny'] as const;
const MOST_SHOWN = 1000;

export function permissionForm(
  { server, tool, args, because }: Question,
  mask: (text: string) => string,
): FormQuestion {
  const whose = server === NATIVE ? '' : ` on server '${server}'`;
  const shown = visibleText(JSON.stringify(maskArguments(args, mask))).slice(0, MOST_SHOWN);
  return {
    method: 'elicitation/create',
    params: {
      message: `May Junctor call '${visibleText(tool)}'${whose} with ${shown}? (${because})`,
      requestedSchema: {
        type: 'object',
        properties: {
          decision: {
            type: 'string',
            enum: DECISIONS,
            description: 'For this call, this conversation, always, or not at all',
          },
          note: { type: 'string', description: 'With deny: what the agent is told' },
        },
        required: ['decision'],
      },
    },
  };
}

/** Only a clear yes is one. */
export function permissionAnswer(answer: Readonly<Record<string, unknown>> | undefined): Answer {
  if (answer?.action !== 'accept') return 'deny';
  const { decision, note } = (answer.content ?? {}) as { decision?: unknown; note?: unknown };
  const known = DECISIONS.find(one => one === decision) ?? 'deny';
  return known === 'deny' && typeof note === 'string' && note ? { scope: 'deny', note } : known;
}

export function canBeAsked(capabilities: Readonly<Record<string, unknown>>): boolean {
  const { elicitation } = capabilities;
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  // A client that names no mode has forms: they were there first.
  return 'form' in elicitation || !('url' in elicitation);
}
