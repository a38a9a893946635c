/** Calls of every kind, and what each surface shows of them: equal everywhere, except where a row says why not. */
import type { ToolRef } from '@junctor/core';
import { expect } from 'vitest';
import {
  APPROVED_AT_THE_TERMINAL,
  APPROVED_BY_CALLING,
  askedAgain,
  atAgentEndpoints,
  CLIENT_ASKS,
  NO_SERVER_KNOWN,
  NOT_OFFERED_TO_THE_MODEL,
  notSent,
  ONE_COMMAND_ONE_SESSION,
  REFUSED_BEFORE_THE_HUB,
  SENTENCE_ALONE,
  trustedServer,
} from './exceptions.ts';
import type { Observed } from './surfaces.ts';

/** The same server over a pipe and over HTTP, of the older and of the newer era. */
export const UPSTREAMS = ['pipe_old', 'pipe_new', 'web_old', 'web_new'] as const;
export const SURFACES = [
  'library',
  'agent endpoint, legacy',
  'agent endpoint, modern',
  'server endpoint, legacy',
  'server endpoint, modern',
  'REST',
  'command line',
  'command line, through a hub',
  'connect',
  'recording',
  'chat',
] as const;

/** Each call of these starts a program, or types at one: two of the four servers are enough, as all of them use one host. */
export const COMMANDS: ReadonlySet<SurfaceName> = new Set([
  'command line',
  'command line, through a hub',
  'connect',
  'recording',
  'chat',
]);
export const upstreamsOf = (name: SurfaceName): readonly string[] => {
  if (!COMMANDS.has(name)) return UPSTREAMS;
  // A recording does not translate: its client, of the older era, needs a server of that era.
  return name === 'recording' ? ['pipe_old', 'web_old'] : ['pipe_old', 'web_new'];
};

/** Surfaces without an audit: what they show is the code and the sentence. */
export const UNAUDITED: ReadonlySet<SurfaceName> = new Set(['command line', 'recording', 'chat']);

export type SurfaceName = (typeof SURFACES)[number];
export type Seen = Omit<Observed, 'audit'>;

export interface Exception {
  readonly why: string;
  readonly seen: (ref: ToolRef) => Partial<Seen>;
  /** Of the second call. Default: as the first. */
  readonly again?: (ref: ToolRef) => Partial<Seen>;
  /** The command refuses the second call by its own config. */
  readonly refusedAgain?: true;
}

export interface Case {
  readonly tool: string;
  readonly args?: object;
  /** Default: each of the four. */
  readonly upstreams?: readonly string[];
  /** What a person answers, where one is asked. */
  readonly answer?: 'once' | 'session' | 'always' | 'deny';
  /** Cancelled once the call has reached its server. */
  readonly cancel?: true;
  readonly seen: (ref: ToolRef) => Seen;
  /** What becomes of the same call made once more; nobody is asked then. */
  readonly again?: (ref: ToolRef) => Seen;
  /** Surfaces that cannot make the call, and why. */
  readonly without?: Partial<Record<SurfaceName, string>>;
  /** A command refuses it by its own config before it goes to a hub. */
  readonly refusedHere?: true;
  /** Where a surface differs, and why. */
  readonly except?: Partial<Record<SurfaceName, Exception>>;
}

export const CASES: Record<string, Case> = {
  'that a rule or trust allows': {
    tool: 'echo',
    args: { text: 'x' },
    seen: ref => ({ ...trustedServer(ref), outcome: 'done', code: null, sentence: null }),
  },
  'whose tool fails': {
    tool: 'fail',
    seen: ref => ({
      ...trustedServer(ref),
      outcome: 'done',
      code: 'tool_failed',
      sentence: expect.any(String) as string,
    }),
    except: {
      chat: { why: 'the model reads the answer of the tool itself', seen: () => ({ code: null, sentence: null }) },
    },
  },
  'that a rule denies': {
    refusedHere: true,
    tool: 'pid',
    seen: ({ server }) => ({
      ...notSent,
      verdict: 'deny',
      because: 'the rule deny mcp__*__pid',
      code: 'permission_denied',
      sentence: `${server}/pid was denied: the rule deny mcp__*__pid.`,
    }),
    except: { 'command line, through a hub': REFUSED_BEFORE_THE_HUB },
  },
  'of a tool that the config leaves out': {
    refusedHere: true,
    tool: 'big',
    seen: ({ server }) => ({
      ...notSent,
      verdict: 'deny',
      because: 'the config leaves this tool out',
      code: 'tool_not_found',
      sentence: `Server '${server}' has no tool 'big'.`,
    }),
    except: {
      ...atAgentEndpoints(NO_SERVER_KNOWN),
      'command line, through a hub': REFUSED_BEFORE_THE_HUB,
      chat: NOT_OFFERED_TO_THE_MODEL,
    },
  },
  'of a tool that no server has': {
    refusedHere: true,
    tool: 'nothing',
    seen: ({ server }) => ({
      ...notSent,
      verdict: 'deny',
      because: 'the server does not list it',
      code: 'tool_not_found',
      sentence: `Server '${server}' has no tool 'nothing'.`,
    }),
    except: {
      ...atAgentEndpoints(NO_SERVER_KNOWN),
      'command line, through a hub': REFUSED_BEFORE_THE_HUB,
      chat: NOT_OFFERED_TO_THE_MODEL,
    },
  },
  'of a tool that is locked': {
    refusedHere: true,
    tool: 'json_response',
    seen: ({ server }) => ({
      ...notSent,
      verdict: 'locked',
      because: 'it changed since it was locked',
      code: 'tool_locked',
      sentence: expect.stringMatching(
        new RegExp(`^${server}/json_response is not approved in .*junctor.lock: it changed since it was locked.$`),
      ) as unknown as string,
    }),
    except: {
      'command line, through a hub': REFUSED_BEFORE_THE_HUB,
      chat: NOT_OFFERED_TO_THE_MODEL,
    },
  },
  'that a person approves once': {
    tool: 'state',
    answer: 'once',
    seen: () => ({ verdict: 'once', because: 'answered over REST', outcome: 'done', code: null, sentence: null }),
    except: {
      REST: APPROVED_BY_CALLING,
      'command line, through a hub': APPROVED_AT_THE_TERMINAL,
      recording: CLIENT_ASKS,
    },
  },
  'that a person approves for the session': {
    tool: 'log',
    answer: 'session',
    seen: () => ({ verdict: 'session', because: 'answered over REST', outcome: 'done', code: null, sentence: null }),
    again: () => ({
      verdict: 'allow',
      because: 'it was allowed for this session',
      outcome: 'done',
      code: null,
      sentence: null,
    }),
    except: {
      REST: APPROVED_BY_CALLING,
      'command line': { why: ONE_COMMAND_ONE_SESSION, seen: () => ({}), again: askedAgain },
      'command line, through a hub': { ...APPROVED_AT_THE_TERMINAL, again: askedAgain, refusedAgain: true },
      recording: CLIENT_ASKS,
    },
  },
  'that a person approves for always': {
    tool: 'add_prompt',
    args: { name: 'table' },
    answer: 'always',
    seen: () => ({ verdict: 'always', because: 'answered over REST', outcome: 'done', code: null, sentence: null }),
    again: () => ({
      verdict: 'allow',
      because: expect.stringMatching(/^it was allowed for always on \d{4}-\d\d-\d\d$/) as unknown as string,
      outcome: 'done',
      code: null,
      sentence: null,
    }),
    except: {
      REST: APPROVED_BY_CALLING,
      'command line, through a hub': APPROVED_AT_THE_TERMINAL,
      recording: CLIENT_ASKS,
    },
  },
  'that a person refuses': {
    refusedHere: true,
    tool: 'state',
    answer: 'deny',
    seen: ({ server }) => ({
      ...notSent,
      verdict: 'deny',
      because: 'answered over REST',
      code: 'permission_denied',
      sentence: `${server}/state was denied by a person.`,
    }),
    except: {
      REST: APPROVED_BY_CALLING,
      'command line, through a hub': REFUSED_BEFORE_THE_HUB,
      recording: CLIENT_ASKS,
    },
  },
  'that the client cancels': {
    tool: 'slow',
    args: { ms: 60_000 },
    cancel: true,
    seen: ref => ({ ...trustedServer(ref), outcome: 'unknown', code: 'cancelled', sentence: null }),
    without: { 'command line': 'it prints nothing while the call runs: its own tests interrupt it' },
    except: {
      'command line, through a hub': {
        why: 'the person who interrupts a command reads that it was interrupted',
        seen: () => ({ sentence: 'Interrupted.' }),
      },
      recording: { why: 'a client that cancels gets no answer', seen: () => ({ code: null }) },
      library: {
        why: 'the program is still there to be told',
        seen: ({ server }) => ({ sentence: `tools/call on server '${server}' was cancelled.` }),
      },
    },
  },
  'that takes longer than its timeout': {
    tool: 'hush',
    upstreams: ['silent'],
    seen: ref => ({
      ...trustedServer(ref),
      outcome: 'unknown',
      code: 'timeout',
      sentence: expect.stringMatching(
        /^Server 'silent' did not answer tools\/call within \d+ ms.$/,
      ) as unknown as string,
    }),
    without: { recording: 'it keeps no time: the client has limits of its own' },
    except: { chat: SENTENCE_ALONE },
  },
  'whose server dies before it is sent': {
    tool: 'crash',
    upstreams: ['absent'],
    without: {
      'server endpoint, legacy': 'initialize fails there already: the server itself answers it',
      'command line, through a hub': 'it goes to that endpoint, and fails there in the same way',
      recording: 'it ends with its server, before its client can call',
    },
    except: { chat: NOT_OFFERED_TO_THE_MODEL },
    seen: () => ({
      ...notSent,
      verdict: '',
      because: '',
      code: 'connection_failed',
      sentence: expect.any(String) as string,
    }),
  },
  'whose server dies after it was sent': {
    tool: 'crash',
    upstreams: ['dying'],
    seen: ref => ({
      ...trustedServer(ref),
      outcome: 'unknown',
      code: 'connection_lost',
      sentence: expect.any(String) as string,
    }),
    except: { chat: SENTENCE_ALONE },
  },
};
