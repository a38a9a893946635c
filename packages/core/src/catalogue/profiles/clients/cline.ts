import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** Any provider. */
export const cline: ProfileDef = {
  title: 'Cline',
  provider: 'default',
  names: { characters: 'A-Za-z0-9_-', max_length: 64, prefix: '{key}__', forbidden: [] },
  transports: ['stdio', 'http', 'sse'],
  sources: ['tried with 3.0.65: longer names are cut and get a hash'],
};
