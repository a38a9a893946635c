import type { ProfileDef } from '../../../config/schema/profile-schema.ts';
import { gemini } from './gemini.ts';

/** For a model nothing is known of: what every known provider reads. */
export const defaultModel: ProfileDef = {
  title: 'any model',
  names: { first: 'A-Za-z', characters: 'A-Za-z0-9_-', max_length: 63 },
  description_chars: 1024,
  max_tools: 128,
  media: [],
  schema: {
    ...gemini.schema,
    property_names: { first: 'A-Za-z_', characters: 'A-Za-z0-9_.-', max_length: 64 },
  },
  sources: ['the strictest rule of each of the other profiles'],
};
