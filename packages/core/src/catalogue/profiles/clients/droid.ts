import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** Any provider. */
export const droid: ProfileDef = {
  title: 'Droid',
  provider: 'default',
  transports: ['stdio', 'http', 'sse'],
  sources: ['tried with 0.215.0; what it puts before names was not seen'],
};
