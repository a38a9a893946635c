import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** Listens for changes even where a server has not promised any. */
export const geminiCli: ProfileDef = {
  title: 'Gemini CLI',
  provider: 'gemini',
  // Longer names keep their first and last 30 characters.
  names: { characters: 'A-Za-z0-9_-', max_length: 63, prefix: 'mcp_{key}_', forbidden: [] },
  list_changed: true,
  transports: ['stdio', 'http', 'sse'],
  media: ['image', 'audio'],
  sources: ['tried with 0.61.0', 'list_changed: google-gemini/gemini-cli#14375'],
};
