/**
 * A server wants to know something of the person, or wants them to visit a page. The program that embeds us asks them;
 * here the question is checked before they see it, and their answer before the server gets it.
 */
import { JunctorError } from '../../base/error.ts';
import { type AnswerKind, type Asker, REFUSED, Refusal } from './answers.ts';
import { type Field, readForm } from './form.ts';
import { type FormContent, problemsOfForm, withDefaults } from './form-content.ts';
import { Turnstile } from './turnstile.ts';
import type { Visits } from './visits.ts';

/** The server wants a form filled in. It must not ask for passwords this way: show who asks. */
export interface FormElicitation {
  /** A form to fill in. */
  readonly mode: 'form';
  /** What the server says to the person. */
  readonly message: string;
  /** What to ask for, in order. */
  readonly fields: readonly Field[];
  /** The same as the server wrote it. */
  readonly requestedSchema: object;
}

/** The server wants the person to open a page. Show the whole address and who asks, and open it only after a yes. */
export interface UrlElicitation {
  /** A page to visit. */
  readonly mode: 'url';
  /** What the server says to the person. */
  readonly message: string;
  /** An http: or https: address of the server's choice. */
  readonly url: string;
  /** Absent where a server of the 2026-07-28 era asks. */
  readonly elicitationId?: string;
  /**
   * True where a call stands still until the person is done there: it is made again as soon as `accept` is answered.
   * Otherwise `accept` means that the person agreed to go, and the server waits by itself.
   */
  readonly holdsCall: boolean;
  /** Settles when the server says that the person is done. Many servers never do. */
  readonly completed: Promise<void>;
}

/** What a server asks the person: `mode` tells which of the two it is. */
export type Elicitation = FormElicitation | UrlElicitation;

/**
 * `accept`: the person filled in the form, or agreed to visit the page. `decline`: they said no. `cancel`: they closed the
 * question without an answer.
 */
export interface ElicitationAnswer {
  /** What the person did. */
  readonly action: 'accept' | 'decline' | 'cancel';
  /** For a form that was accepted. Fields that are left out take their default. */
  readonly content?: FormContent;
}

/** Asks the person. */
export type Elicit = (question: Elicitation, asker: Asker) => ElicitationAnswer | Promise<ElicitationAnswer>;

export interface ElicitationOptions {
  readonly elicit: Elicit;
  readonly visits: Visits;
  /** Told of an answer that cannot be sent. The server hears that the person did not answer. */
  readonly onUnfit: (error: JunctorError, server: string) => void;
}

/** A person answers one question at a time; a server that asks more at once than this is refused. */
const MOST_AT_ONCE = 4;
const MAX_REQUEST_CHARS = 256 * 1024;

export function elicitationKind({ elicit, visits, onUnfit }: ElicitationOptions): AnswerKind {
  const turnstile = new Turnstile(MOST_AT_ONCE);
  return {
    method: 'elicitation/create',
    capabilities: { elicitation: { form: {}, url: {} } },
    async answer(params, asker) {
      const tooMany = (): never => {
        throw new Refusal(
          REFUSED.byPerson,
          `At most ${MOST_AT_ONCE} questions may wait for the user at the same time.`,
        );
      };
      return turnstile.pass(asker.server, tooMany, async () => {
        const question = readQuestion(params, asker.server, visits);
        try {
          return fit(question, await elicit(question, asker), asker.server);
        } catch (error) {
          if (!(error instanceof Unfit)) throw error;
          onUnfit(error.told, asker.server);
          return { action: 'cancel' };
        }
      });
    },
  };
}

function readQuestion(params: unknown, server: string, visits: Visits): Elicitation {
  const { mode = 'form', message, requestedSchema, url, elicitationId } = (params ?? {}) as Record<string, unknown>;
  if (typeof message !== 'string') throw new Refusal(REFUSED.badParams, 'message must be a text.');
  if (JSON.stringify(params).length > MAX_REQUEST_CHARS) {
    throw new Refusal(REFUSED.badParams, `A question may have at most ${MAX_REQUEST_CHARS} characters.`);
  }
  if (mode === 'form') {
    return { mode, message, fields: readForm(requestedSchema), requestedSchema: requestedSchema as object };
  }
  if (mode !== 'url') throw new Refusal(REFUSED.badParams, 'mode must be form or url.');
  if (!isWebAddress(url)) throw new Refusal(REFUSED.badParams, 'url must be an http: or https: address.');
  const id = typeof elicitationId === 'string' ? elicitationId : undefined;
  return {
    mode,
    message,
    url,
    ...(id === undefined ? {} : { elicitationId: id }),
    holdsCall: visits.holdsCall(server, id),
    completed: visits.completionOf(server, id),
  };
}

/** A page is opened in a browser: addresses that run programs or read files are none. */
function isWebAddress(url: unknown): url is string {
  return typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

const ACTIONS = new Set(['accept', 'decline', 'cancel']);

function fit(question: Elicitation, answer: ElicitationAnswer, server: string): object {
  const { action, content } = (answer ?? {}) as Partial<ElicitationAnswer>;
  if (!ACTIONS.has(action as string)) throw new Unfit(server, 'its action is none of accept, decline and cancel');
  if (action !== 'accept' || question.mode === 'url') return { action };
  const complete = withDefaults(question.fields, content ?? {});
  const problems = problemsOfForm(question.fields, complete);
  if (problems.length > 0) throw new Unfit(server, problems.join('; '));
  return { action, content: complete };
}

/** A mistake of the program that asks the person. It is told so; the server is not to suffer for it. */
class Unfit extends Error {
  readonly told: JunctorError;

  constructor(server: string, why: string) {
    super(why);
    this.told = new JunctorError('usage', `The answer of 'elicit' for server '${server}' cannot be sent.`, {
      server,
      why,
      hint: 'check it with problemsOfForm(question.fields, content) while the person can still change it',
    });
  }
}
