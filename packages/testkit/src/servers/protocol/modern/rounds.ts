/**
 * Questions in the modern era: the server cannot ask, so its result says what it needs, and the client comes back with
 * the answers. What was asked for then runs again from the start, with the answers of all rounds at hand.
 */
import { CODE, type Params, RpcError, record } from '../../rpc.ts';
import { type Answers, isAnswer, lackingFor, type Questions } from '../question.ts';
import { seal, spoiled, unseal } from './request-state.ts';

/** Ends a run that cannot go on without answers. */
export class InputRequired extends Error {
  readonly result: object;

  constructor(result: object) {
    super('input required');
    this.result = result;
  }
}

export interface RoundsOptions {
  readonly method: string;
  readonly params: Params;
  readonly capabilities: Params;
  readonly secret: Buffer;
}

export class Rounds {
  readonly #options: RoundsOptions;
  /** What the state belongs to: it must not be brought back with another request. */
  readonly #subject: string;
  readonly #earlier: Params;
  readonly #responses: Params;
  readonly #answered: Record<string, Params> = {};
  /** Whether a state of ours came back. */
  readonly resumed: boolean;

  constructor(options: RoundsOptions) {
    const { method, params, secret } = options;
    this.#options = options;
    this.#subject = `${method} ${params.name ?? params.uri ?? ''}`;
    this.resumed = params.requestState !== undefined;
    const state = this.resumed ? record(unseal(params.requestState, secret)) : { of: this.#subject };
    if (state.of !== this.#subject) throw spoiled();
    this.#earlier = record(state.answers);
    this.#responses = responsesIn(params);
  }

  /** What the client brought answers to. */
  get answered(): readonly string[] {
    return Object.keys({ ...this.#earlier, ...this.#responses });
  }

  async ask(questions: Questions): Promise<Answers> {
    const open: Record<string, Questions[string]> = {};
    for (const [key, question] of Object.entries(questions)) {
      const answer = this.#responses[key] ?? this.#earlier[key];
      if (answer === undefined) open[key] = question;
      else if (isAnswer(question, answer)) this.#answered[key] = answer;
      else throw new RpcError(CODE.invalidParams, `That is no answer to ${question.method}: '${key}'`);
    }
    if (Object.keys(open).length > 0) throw this.#required(open);
    return Object.fromEntries(Object.keys(questions).map(key => [key, this.#answered[key] as Params]));
  }

  #required(questions: Questions): Error {
    const { capabilities, secret } = this.#options;
    const lacking = Object.values(questions).flatMap(question => lackingFor(question, capabilities) ?? []);
    if (lacking.length > 0) {
      const requiredCapabilities = Object.assign({}, ...lacking);
      return new RpcError(CODE.missingCapability, `This needs a client with ${Object.keys(requiredCapabilities)}.`, {
        data: { requiredCapabilities },
        status: 400,
      });
    }
    const state = { of: this.#subject, answers: this.#answered };
    return new InputRequired({
      resultType: 'input_required',
      inputRequests: questions,
      requestState: seal(state, secret),
    });
  }
}

function responsesIn({ inputResponses }: Params): Params {
  if (inputResponses === undefined) return {};
  if (typeof inputResponses === 'object' && inputResponses !== null) return record(inputResponses);
  throw new RpcError(CODE.invalidParams, 'inputResponses must be an object.');
}
