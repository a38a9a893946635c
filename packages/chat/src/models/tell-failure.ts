/** A failure of the provider as every other error is told: what, why, and what to do next. */
import { JunctorError } from '@junctor/core/light';
import { type FailureKind, ModelFailure } from '../loop/model-failure.ts';

/** What is no failure of the provider is passed on as it is. */
export function tellFailure(error: unknown, model: string): unknown {
  if (!(error instanceof ModelFailure)) return error;
  return new JunctorError('model_failed', error.message, {
    why: `${model}: ${error.why}`,
    hint: HINTS[error.kind],
    cause: error,
  });
}

const HINTS: Readonly<Record<FailureKind, string>> = {
  key: 'check the key, and store it again: junctor secret set NAME',
  forbidden: 'see in your account at the provider whether this model is open to you',
  model: 'check the name after --model, as the provider writes it',
  limit: 'wait a minute and ask again, or choose another model',
  'too-long': 'begin anew with /clear, or choose a model with a larger window',
  refused: 'run it again with --debug to see more',
  busy: 'wait a minute and ask again',
  unreachable: 'check the address after --base-url, and whether the server runs',
  cut: 'ask again: what was done before is kept',
};
