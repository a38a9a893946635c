/** Puts together what servers are answered, of what a program brings along. What it does not bring is not declared. */
import { isJunctorError, type JunctorError, sentenceOf } from '../../base/error.ts';
import { TASKS_EXTENSION } from '../protocol/task.ts';
import { type AnswerKind, type Answers, type Asker, MethodNotFound, REFUSED, Refusal } from './answers.ts';
import { type Elicit, elicitationKind } from './elicitation.ts';
import type { ServerLogLevel } from './log-message.ts';
import { type PageToVisit, pagesToVisit } from './pages-to-visit.ts';
import { type Roots, rootsKind } from './roots.ts';
import { type Sample, type SamplingExtras, type SamplingRequest, samplingKind } from './sampling.ts';
import { Visits } from './visits.ts';

export interface AnswersOptions {
  readonly roots?: Roots | undefined;
  readonly sample?: Sample | undefined;
  readonly sampling?: SamplingExtras | undefined;
  /** Whether the model may run for this server now. */
  readonly maySample: (request: SamplingRequest, asker: Asker) => Promise<boolean>;
  readonly elicit?: Elicit | undefined;
  readonly logLevel?: ServerLogLevel | undefined;
  /** Told when a function of the program failed, or returned what cannot be sent. */
  readonly onFailure: (failure: AnswerFailure) => void;
}

export interface AnswerFailure {
  readonly server: string;
  readonly method: string;
  readonly error: Error;
}

/** Declared because calls that a server runs as tasks are followed (protocol/tasks.ts). */
const FOLLOWS_TASKS = { [TASKS_EXTENSION]: {} };

export function createAnswers(options: AnswersOptions): Answers {
  const visits = new Visits();
  const kinds = new Map(kindsOf(options, visits).map(kind => [kind.method, kind]));
  const answer = async (method: string, params: unknown, asker: Asker): Promise<unknown> => {
    if (method === 'ping') return {};
    const kind = kinds.get(method);
    if (!kind) throw new MethodNotFound(`Junctor does not serve ${method} here.`);
    try {
      return await kind.answer(params, asker);
    } catch (error) {
      throw error instanceof Refusal ? error : concealed(error, method, asker, options);
    }
  };
  return {
    capabilities: Object.assign({ extensions: FOLLOWS_TASKS }, ...[...kinds.values()].map(kind => kind.capabilities)),
    logLevel: options.logLevel,
    answer,
    visit(error, asker) {
      const pages = kinds.has('elicitation/create') ? pagesToVisit(error) : undefined;
      return pages && visitAll(pages, visits, asker, answer);
    },
    visited: (server, elicitationId) => visits.complete(server, elicitationId),
  };
}

function kindsOf(
  { roots, sample, sampling, maySample, elicit, onFailure }: AnswersOptions,
  visits: Visits,
): AnswerKind[] {
  const kinds: AnswerKind[] = [];
  if (roots) kinds.push(rootsKind(roots));
  if (sample) kinds.push(samplingKind({ sample, extras: sampling, may: maySample }));
  if (elicit) {
    const onUnfit = (error: JunctorError, server: string): void =>
      onFailure({ server, method: 'elicitation/create', error });
    kinds.push(elicitationKind({ elicit, visits, onUnfit }));
  }
  return kinds;
}

/** What went wrong inside is for the program; the server learns only that there is no answer. */
function concealed(error: unknown, method: string, { server, signal }: Asker, { onFailure }: AnswersOptions): Refusal {
  // Somebody who gave up waiting needs no report.
  if (!signal.aborted)
    onFailure({ server, method, error: error instanceof Error ? error : new Error(sentenceOf(error)) });
  const nobody = isJunctorError(error, 'approval_required') || isJunctorError(error, 'input_required');
  if (nobody) return new Refusal(REFUSED.byPerson, 'Nobody is there who could be asked.');
  return new Refusal(REFUSED.inside, 'The client failed to answer.');
}

/** One after the other, and no further than the first no. */
async function visitAll(
  pages: readonly PageToVisit[],
  visits: Visits,
  asker: Asker,
  answer: Answers['answer'],
): Promise<boolean> {
  for (const page of pages) {
    visits.holdCall(asker.server, page.elicitationId);
    try {
      const { action } = (await answer('elicitation/create', page, asker)) as { action: string };
      if (action !== 'accept') return false;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }
  return true;
}
