import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** Adds nothing to names: what the provider takes is what counts. */
export const continueDev: ProfileDef = {
  title: 'Continue',
  provider: 'default',
  names: { characters: 'A-Za-z0-9_-', prefix: '', forbidden: [] },
  transports: ['stdio', 'http', 'sse'],
  sources: ['tried with 1.5.47: names go to the model as they are'],
};
