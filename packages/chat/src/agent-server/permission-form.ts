/** The question whether a call may run, as a form that any client can show, and what the answer means. Pure. */
import type { Answer, Question } from '@junctor/core';
import { argumentLines, maskArguments, visibleText } from '@junctor/core/light';
import { NATIVE } from '../native/permitted.ts';
import type { FormQuestion } from './serving.ts';

const DECISIONS = ['once', 'session', 'always', 'deny'] as const;
const SHORT = { maxChars: 1000, maxLines: 21 };

/** Asks for the same form with all of the arguments. */
const SHOW = 'show';

/** `whole`: with all of the arguments. Else both ends of long ones, and an answer that asks for all of them. */
export function permissionForm(
  { server, tool, args, because }: Question,
  mask: (text: string) => string,
  whole = false,
): FormQuestion {
  const whose = server === NATIVE ? '' : ` on server '${server}'`;
  const { lines, isCut } = argumentLines(maskArguments(args, mask), whole ? {} : SHORT);
  return {
    method: 'elicitation/create',
    params: {
      message: [`May Junctor call '${visibleText(tool)}'${whose}? (${because})`, ...lines].join('\n'),
      requestedSchema: {
        type: 'object',
        properties: {
          decision: {
            type: 'string',
            enum: isCut ? [...DECISIONS, SHOW] : DECISIONS,
            description: `For this call, this conversation, always, or not at all${isCut ? '; show: all of the arguments' : ''}`,
          },
          note: { type: 'string', description: 'With deny: what the agent is told' },
        },
        required: ['decision'],
      },
    },
  };
}

/** Whether the person wants to read all of the arguments first. */
export function wantsWhole(answer: Readonly<Record<string, unknown>> | undefined): boolean {
  return answer?.action === 'accept' && (answer.content as { decision?: unknown } | undefined)?.decision === SHOW;
}

/** Only a clear approval is one. */
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
