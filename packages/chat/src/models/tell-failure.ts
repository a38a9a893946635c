/** A failure of the provider as every other error is told: what, why, and what to do next. */
import { JunctorError, type NextStep } from '@junctor/core/light';
import { type FailureKind, ModelFailure } from '../loop/model-failure.ts';

/** What is no failure of the provider is passed on as it is. */
export function tellFailure(error: unknown, model: string): unknown {
  if (!(error instanceof ModelFailure)) return error;
  return new JunctorError('model_failed', error.message, {
    why: `${model}: ${error.why}`,
    ...STEPS[error.kind],
    cause: error,
  });
}

const STEPS: Readonly<Record<FailureKind, NextStep>> = {
  key: {
    hint: 'check the key of the provider in the environment',
    command: 'check the key, and store it again: junctor secret set NAME',
  },
  forbidden: { hint: 'see in your account at the provider whether this model is open to you' },
  model: {
    hint: 'check the name of the model, as the provider writes it',
    command: 'check the name after --model, as the provider writes it',
  },
  limit: { hint: 'wait a minute and ask again, or choose another model' },
  'too-long': {
    hint: 'begin a new conversation, or choose a model with a larger window',
    command: 'begin anew with /clear, or choose a model with a larger window',
  },
  refused: { hint: 'see more with a log of level debug', command: 'run it again with --debug to see more' },
  busy: { hint: 'wait a minute and ask again' },
  unreachable: {
    hint: 'check the address of the model, and whether its server runs',
    command: 'check the address after --base-url, and whether the server runs',
  },
  cut: { hint: 'ask again: what was done before is kept' },
};
