import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** Any provider. */
export const windsurf: ProfileDef = {
  title: 'Windsurf',
  provider: 'default',
  max_tools: 100,
  transports: ['stdio', 'http', 'sse'],
  sources: ['documentation: 100 tools in all'],
};
