import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** Takes long names, and no second pair of underscores. */
export const grok: ProfileDef = {
  title: 'Grok',
  provider: 'default',
  // A name with two underscores is ambiguous to it, and the tool is left out.
  names: { characters: 'A-Za-z0-9_-', max_length: 128, prefix: '{key}__', forbidden: ['__'] },
  transports: ['stdio', 'http'],
  sources: ['tried with 1.0.41'],
};
