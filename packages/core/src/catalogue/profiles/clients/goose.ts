import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** Any provider. */
export const goose: ProfileDef = {
  title: 'Goose',
  provider: 'default',
  names: { characters: 'A-Za-z0-9_-', prefix: '{key}__', forbidden: [] },
  list_changed: false,
  transports: ['stdio', 'http'],
  sources: ['documentation; it warns above 50 tools'],
};
