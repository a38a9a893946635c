import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** For a client nothing is known of: names that every known client takes, and schemas as the server gave them. */
export const defaultClient: ProfileDef = {
  title: 'any client',
  // No known client puts more before a name than this, and none takes fewer characters.
  names: { characters: 'A-Za-z0-9_-', max_length: 63, prefix: 'mcp__{key}__', forbidden: ['__'] },
  description_chars: 2000,
  sources: ['the strictest rule of the other clients'],
};
