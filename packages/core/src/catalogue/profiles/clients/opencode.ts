import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** Any provider. */
export const opencode: ProfileDef = {
  title: 'opencode',
  provider: 'default',
  names: { characters: 'A-Za-z0-9_-', prefix: '{key}_', forbidden: [] },
  list_changed: true,
  transports: ['stdio', 'http', 'sse'],
  sources: [
    'tried with 1.18.33: it has no limit of its own, so the provider has',
    'list_changed: anomalyco/opencode#5913',
  ],
};
