import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** Moonshot wants plain schemas: no tuples, nothing beside a reference. */
export const kimi: ProfileDef = {
  title: 'Kimi',
  provider: 'default',
  transports: ['stdio', 'http', 'sse'],
  sources: ['tried with 2.1.0 as far as the list; what it puts before names was not seen'],
};
