import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** Remote servers are set up in its window, not in its file. */
export const claudeDesktop: ProfileDef = {
  title: 'Claude Desktop',
  provider: 'anthropic',
  transports: ['stdio'],
  media: ['image'],
  context_window: 200_000,
  sources: ['documentation; what it puts before names is not documented'],
};
