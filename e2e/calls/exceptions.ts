/** How and why single surfaces differ from the others. */
import type { ToolRef } from '@junctor/core';
import { expect } from 'vitest';
import type { Exception, Seen } from './cases.ts';
import { NOT_SHOWN } from './command-surfaces.ts';

export const trustedServer = ({ server }: ToolRef): Pick<Seen, 'verdict' | 'because'> => ({
  verdict: 'allow',
  because: `server '${server}' is trusted`,
});
export const notSent = { outcome: 'not_sent' } as const;

/** Whoever makes a call over REST is a person, and approves it by that. */
export const APPROVED_BY_CALLING = {
  why: 'the person who makes the call approves it by that',
  seen: () => ({
    verdict: 'allow',
    because: 'the person who made the call approved it',
    outcome: 'done',
    code: null,
    sentence: null,
  }),
};

/** A name that leads to no tool has no server at an agent's endpoint. */
export const NO_SERVER_KNOWN = {
  why: 'there the name is public, and leads to no server',
  seen: ({ server, tool }: ToolRef) => ({
    because: 'no server of this agent lists a tool of this name',
    sentence: `There is no tool '${server}_${tool}'.`,
  }),
};
export const atAgentEndpoints = <Value>(value: Value) => ({
  'agent endpoint, legacy': value,
  'agent endpoint, modern': value,
  connect: value,
});

/** A call that the config of the command refuses. */
export const REFUSED_BEFORE_THE_HUB: Exception = {
  why: 'the command decides by its own config first, and the hub does not see what that refuses',
  seen: () => NOT_SHOWN,
};
/** A model that calls a tool which it was not offered. */
export const NOT_OFFERED_TO_THE_MODEL: Exception = {
  why: 'the loop of the AI SDK knows only the tools that the model was offered, and answers for any other name',
  seen: ({ server, tool }) => ({
    code: 'tool_not_found',
    sentence: expect.stringContaining(`There is no tool 'mcp__${server}__${tool}'.`) as unknown as string,
  }),
};
/** A person who approves at a terminal. */
export const APPROVED_AT_THE_TERMINAL: Exception = {
  why: 'the person was asked at the terminal, and the hub takes that as the decision',
  seen: () => ({ verdict: 'allow', because: 'the person who called it approved it' }),
};
/** A recording asks nobody. */
export const CLIENT_ASKS: Exception = {
  why: 'a recording leaves the question to the person at its client',
  seen: () => ({ code: null, sentence: null }),
};
/** A failure in chat. */
export const SENTENCE_ALONE: Exception = {
  why: 'a model reads the sentence, without a code',
  seen: () => ({ code: null }),
};
export const ONE_COMMAND_ONE_SESSION =
  'each command is a session of its own, and nobody sits there to be asked once more';
export const askedAgain = ({ server, tool }: ToolRef): Partial<Seen> => ({
  ...NOT_SHOWN,
  code: 'approval_required',
  sentence: `${server}/${tool} needs approval, and there is no terminal to ask on.`,
});
