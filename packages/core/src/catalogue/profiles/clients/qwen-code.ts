import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** The shortest names of all. */
export const qwenCode: ProfileDef = {
  title: 'Qwen Code',
  provider: 'default',
  // Longer names are cut and get a hash.
  names: { characters: 'A-Za-z0-9_-', max_length: 63, prefix: 'mcp__{key}__', forbidden: [] },
  transports: ['stdio', 'http', 'sse'],
  sources: ['tried with 0.24.4, and its source'],
};
